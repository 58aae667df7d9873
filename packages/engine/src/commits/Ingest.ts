import { Outcome } from "@inlethq/core/log/Outcome"
import { Clock, Context, Effect, Exit, Latch, Layer, Metric, Option, type PubSub, type Scope } from "effect"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { decideInSlices, type DecidedBatch } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { needsOf } from "@inlethq/core/CommandTable"
import { CommitNotices } from "./CommitNotices.ts"
import { CommitQueue } from "./CommitQueue.ts"
import type { CommittedRequest, EncodedRequest, Lane, PendingRequest } from "./Lane.ts"
import { pollCommits } from "./pollCommits.ts"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { IngestBounds, type SubmitError } from "./IngestBounds.ts"
import { NodeFitness } from "@inlethq/core/ports/NodeFitness"
import { Store, StoreUnavailable, WorkspaceDeleted } from "@inlethq/core/ports/Store"
import { inSlices } from "@inlethq/core/Slices"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"

/** The state of ingestion in this process. */
export interface IngestStatus {
  /**
   * Whether the store accepts commits: true if the last commit succeeded, or if a probe succeeded after a failed
   * commit.
   */
  readonly committing: boolean
  readonly waitingCommands: number
  /** The receipt time of the oldest waiting request, or null if no request is waiting. */
  readonly oldestWaitingAt: EpochMillis | null
}

/** After a failed commit, the store is probed at this interval, in milliseconds, until a probe succeeds. */
const probeIntervalMs = 250

/**
 * Applies commands and returns their log entries once the commit is durable. Requests of a workspace that arrive during
 * a commit of that workspace form its next batch. Batches of different workspaces do not wait for each other, unless
 * the store serializes them.
 */
export class Ingest extends Context.Service<
  Ingest,
  {
    /**
     * Applies the commands of one request, in one commit for each workspace. Succeeds if all of these commits succeed.
     * Returns the log entries in the order of the commands.
     */
    submit(
      commands: ReadonlyArray<Command>,
      bytes: number,
    ): Effect.Effect<ReadonlyArray<ActivityEntry>, SubmitError>
    /**
     * Does the same as `submit` for a request of one workspace that is still encoded. The request is decoded when its
     * commit starts. Also returns the value that the decoder returned.
     */
    submitEncoded<A>(request: EncodedRequest<A>): Effect.Effect<CommittedRequest<A>, SubmitError>
    readonly status: Effect.Effect<IngestStatus>
    /**
     * Subscribes to the position of the newest log entry of a workspace, which is published after each commit. A slow
     * subscriber sees only the newest position.
     */
    commits(workspace: WorkspaceId): Effect.Effect<PubSub.Subscription<Sequence>, never, Scope.Scope>
  }
>()("@inlethq/engine/commits/Ingest") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* Store
      yield* registerMetrics
      const notices = new CommitNotices()
      const failing = yield* Latch.make(false)
      let committing = true

      const write = writer(store, notices, (exit) => {
        committing = Exit.isSuccess(exit) || isRefusal(exit)
        return committing ? Effect.void : failing.open
      })

      const { gatherMs } = store.batchLimits
      // Yields even if `gatherMs` is 0, so that requests that have already reached the socket are read and join this
      // commit.
      const gather = Effect.suspend(() =>
        gatherMs === 0 || queue.isContended ? Effect.yieldNow : Effect.sleep(gatherMs),
      )

      const commitNext = Effect.fnUntraced(
        function* (lane: Lane) {
          yield* gather
          const answered = yield* Effect.ensuring(
            Effect.flatMap(inSlices(queue.take(lane), Effect.sync), (requests) => {
              if (requests.length === 0) return Effect.succeed(Effect.void)
              // While the store is down, each commit may wait before it fails. To end without these waits, a stopping
              // process refuses the remaining requests and does not try to commit them.
              if (queue.isClosed && !committing) return Effect.succeed(refuse(requests))
              return write(lane.workspace, requests)
            }),
            Effect.sync(() => queue.written(lane)),
          )
          yield* answered
        },
        (batch, lane) =>
          Effect.ensuring(
            batch,
            Effect.sync(() => queue.settled(lane)),
          ),
      )

      // Each batch runs on its own fiber. The next batch of a workspace begins when its previous batch is written, so
      // the batches of a workspace are written in order.
      const fork = Effect.runForkWith(yield* Effect.context<never>())
      const queue = new CommitQueue(yield* IngestBounds, store.batchLimits, (lane) => fork(commitNext(lane)))

      const recover = Effect.gen(function* () {
        yield* failing.await
        yield* Effect.sleep(probeIntervalMs)
        committing ||= Exit.isSuccess(yield* Effect.exit(store.probe))
        // The latch is closed synchronously. If an effect ran between this check and the close, a commit could fail in
        // the meantime, and no probe would follow.
        if (committing) failing.closeUnsafe()
      })

      yield* Effect.forkScoped(Effect.forever(recover))
      yield* pollCommits(notices)
      yield* Effect.addFinalizer(() =>
        Effect.andThen(
          Effect.sync(() => queue.close()),
          queue.idle.await,
        ),
      )

      const { unfit } = yield* NodeFitness
      const ifFit = <A>(submit: () => Effect.Effect<A, SubmitError>): Effect.Effect<A, SubmitError> =>
        Effect.suspend(() => {
          const cause = unfit()
          return cause === null ? submit() : Effect.fail(new StoreUnavailable({ operation: "commit", cause }))
        })

      return Ingest.of({
        submit: (commands, bytes) => ifFit(() => queue.submit(commands, bytes)),
        submitEncoded: (request) => ifFit(() => queue.submitEncoded(request)),
        status: Effect.sync(() => ({ committing, ...queue.state })),
        commits: (workspace) => notices.subscribe(workspace),
      })
    }),
  )
}

/**
 * Returns a function that writes a batch. Its effect decides the commands of the requests, writes their changes, and
 * succeeds with a second effect. The second effect waits until the batch is durable, calls `afterCommit` with the
 * result, publishes the commit and answers each request.
 */
const writer = (
  store: Store["Service"],
  notices: CommitNotices,
  afterCommit: (exit: CommitExit) => Effect.Effect<unknown>,
) => {
  const commit = Effect.fnUntraced(
    function* (workspace: WorkspaceId, commands: ReadonlyArray<Command>) {
      return yield* store.transact(needsOf(workspace, commands), (state) => decideInSlices(state, commands))
    },
    // `Effect.fn` would capture a stack for each commit, which is always the same and costs more than the span.
    (committed, workspace, { length }) =>
      Effect.withSpan(committed, "Ingest.commit", {
        attributes: { workspace, operations: length },
        captureStackTrace: false,
      }),
  )
  /** Waits until a written batch is durable, publishes the commit, and answers the requests of the batch. */
  const settle = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    requests: ReadonlyArray<PendingRequest>,
    durable: Effect.Effect<DecidedBatch, StoreUnavailable | WorkspaceDeleted>,
    started: bigint,
  ) {
    const exit = yield* Effect.exit(durable)
    yield* afterCommit(exit)
    if (Exit.isFailure(exit) && !isRefusal(exit)) yield* Effect.logError("a commit failed", exit.cause)
    if (Exit.isSuccess(exit)) {
      const { entries, state } = exit.value
      yield* measure(entries, (yield* Clock.currentTimeNanos) - started)
      const newest = state.written.entries.at(-1)
      if (newest !== undefined) yield* notices.publish(workspace, newest.sequence)
    }
    answer(
      requests,
      Exit.map(exit, ({ entries }) => entries),
    )
  })
  const write = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    requests: ReadonlyArray<PendingRequest>,
  ): Effect.fn.Return<Effect.Effect<void>> {
    const started = yield* Clock.currentTimeNanos
    const commands = requests.flatMap((request) => request.commands)
    const written = yield* Effect.exit(commit(workspace, commands))
    if (Exit.hasDies(written) && requests.length > 1) {
      // One of the requests made the whole batch fail. Each request is now written separately, so that only the faulty
      // request fails.
      const settled = yield* Effect.forEach(requests, (request) => write(workspace, [request]))
      return Effect.all(settled, { discard: true })
    }
    return settle(workspace, requests, Effect.flatten(written), started)
  })
  return write
}

type CommitExit = Exit.Exit<DecidedBatch, StoreUnavailable | WorkspaceDeleted>

/** Returns whether the store has refused a batch because its workspace was deleted. The store itself works. */
const isRefusal = (exit: Exit.Exit<unknown, StoreUnavailable | WorkspaceDeleted>): boolean =>
  Option.exists(Exit.findErrorOption(exit), (error) => error instanceof WorkspaceDeleted)

/** Answers each request with its own log entries, or with the failure of the commit. */
const answer = (
  requests: ReadonlyArray<PendingRequest>,
  exit: Exit.Exit<ReadonlyArray<ActivityEntry>, StoreUnavailable | WorkspaceDeleted>,
): void => {
  let from = 0
  for (const request of requests) {
    const to = from + request.commands.length
    request.resume(Exit.isSuccess(exit) ? Exit.succeed(exit.value.slice(from, to)) : exit)
    from = to
  }
}

/** Answers each request with the failure of a process that stops while its store is down. */
const refuse = (requests: ReadonlyArray<PendingRequest>): Effect.Effect<void> =>
  Effect.sync(() =>
    answer(
      requests,
      Exit.fail(new StoreUnavailable({ operation: "commit", cause: "the process is stopping" })),
    ),
  )

const operations = Metric.counter("inlet_operations_total", {
  description: "Operations committed, by outcome",
  incremental: true,
})

const commitSeconds = Metric.histogram("inlet_commit_duration_seconds", {
  description: "Time to load, decide and commit one batch",
  boundaries: Metric.exponentialBoundaries({ start: 0.0005, factor: 2, count: 12 }),
})

const commitSize = Metric.histogram("inlet_commit_operations", {
  description: "Operations in one commit",
  boundaries: Metric.exponentialBoundaries({ start: 1, factor: 4, count: 8 }),
})

/** Exports the metrics of commits from the start, with 0 for each outcome. */
const registerMetrics = Effect.gen(function* () {
  for (const outcome of Outcome.literals) yield* Metric.value(Metric.withAttributes(operations, { outcome }))
  yield* Metric.value(commitSeconds)
  yield* Metric.value(commitSize)
})

const measure = Effect.fnUntraced(function* (entries: ReadonlyArray<ActivityEntry>, nanos: bigint) {
  const counts = new Map<string, number>()
  for (const { outcome } of entries) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  for (const [outcome, count] of counts) {
    yield* Metric.update(Metric.withAttributes(operations, { outcome }), count)
  }
  yield* Metric.update(commitSeconds, Number(nanos) / 1e9)
  yield* Metric.update(commitSize, entries.length)
})
