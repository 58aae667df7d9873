import { NodeFitness } from "@inlethq/core/ports/NodeFitness"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Clock, Effect, Option, PubSub, Random, type Semaphore } from "effect"
import { MayDeliver } from "../MayDeliver.ts"
import {
  labelsOf,
  type Batch,
  type BatchSink,
  type Destination,
  type FeedKey,
  type SendError,
  type Sink,
} from "./Destination.ts"

/** At the end of the log, a feed waits at most this long for a commit, because other nodes commit too. */
const idleInterval = "5 seconds"

/** The shortest time between two reads at the end of the log. One batch then has the entries of many small commits. */
const gatherInterval = "20 millis"

/** The pause after the store could not be read. */
const unavailableMs = 1000

/**
 * The longest first wait after a failure of the destination. This upper bound doubles for each later wait, up to
 * `retryMsMax`. Each wait is a random time between half of its upper bound and its upper bound.
 */
const firstRetryMs = 500
const retryMsMax = 30_000

/** The state of a feed that runs. */
export class Feed<Settings, R> {
  readonly key: FeedKey
  /** Null while the feed is prepared. */
  sink: Sink<Settings, R> | null = null
  /** Why the last batch could not be read or sent, or null if it was sent. */
  failure: string | null = null
  /** How many batches have failed since the last one that was sent. */
  failures = 0
  /** The entries that were not sent when the lag was last measured. */
  lagEntries = 0
  /** The position up to which the entries that it passed were counted. Null until it is prepared for the first time. */
  countedTo: number | null = null
  /** The hour in which it was measured last. */
  measuredIn = 0
  changes = 0

  constructor({ id, workspace }: FeedKey) {
    this.key = { id, workspace }
  }

  /** Has the feed prepared again. A feed that is being prepared begins anew. */
  changed(): void {
    this.changes++
    this.sink?.stop()
  }
}

/** Sends the log until the feed is turned off, or until another node sends. `permits` limits the batches in memory. */
export const runFeed = <Settings, R>(
  { name, prepare, title }: Destination<Settings, R>,
  feed: Feed<Settings, R>,
  permits: Semaphore.Semaphore,
): Effect.Effect<void, never, R | Catalog | Ingest> => {
  /** Waits before the next attempt. Logs the reason only if it differs from that of the previous failure. */
  const failed = Effect.fnUntraced(function* ({ _tag, message }: SendError) {
    // A node that is unfit has said so once.
    const { unfit } = yield* NodeFitness
    if (message !== feed.failure && unfit() === null)
      yield* Effect.logWarning(`${title} waits`, { ...labelsOf(name, feed.key), reason: message })
    feed.failure = message
    if (_tag === "StoreUnavailable") return yield* Effect.sleep(unavailableMs)
    const wait = Math.min(firstRetryMs * 2 ** Math.min(feed.failures++, 20), retryMsMax)
    yield* Effect.sleep(wait * (0.5 + 0.5 * (yield* Random.next)))
  })

  /** Reads the next entries and sends them. Returns whether the log has no more entries. */
  const copyBatch = Effect.fnUntraced(function* (sink: Sink<Settings, R>) {
    const caughtUp = yield* "sendNext" in sink ? sink.sendNext : sendBatch(feed.key, sink)
    feed.failure = null
    feed.failures = 0
    return caughtUp
  })

  const follow = Effect.fnUntraced(function* (sink: Sink<Settings, R>) {
    // Subscribes before the first read of the log. Otherwise, a commit between the read and the subscription would be
    // missed.
    const commits = yield* Ingest.use((ingest) => ingest.commits(feed.key.workspace))
    for (;;) {
      yield* sink.ready
      const caughtUp = yield* permits
        .withPermits(1)(copyBatch(sink))
        .pipe(
          Effect.catchTag(["DestinationFailed", "StoreUnavailable"], (error) =>
            Effect.as(failed(error), false),
          ),
        )
      if (!caughtUp) continue
      yield* Effect.sleep(gatherInterval)
      yield* Effect.timeoutOption(PubSub.take(commits), idleInterval)
    }
  }, Effect.scoped)

  /** Prepares the feed and sends entries until it must be prepared again. Returns false if it should not run. */
  const runPrepared = Effect.gen(function* () {
    const { changes } = feed
    const prepared = (yield* yield* MayDeliver) ? yield* prepare(feed.key) : Option.none()
    if (feed.changes !== changes) return true
    if (Option.isNone(prepared)) return false
    feed.sink = prepared.value
    feed.countedTo ??= feed.sink.progress().position ?? 0
    yield* Effect.raceFirst(follow(feed.sink), feed.sink.run()).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          feed.sink = null
        }),
      ),
    )
    return true
  })

  return runPrepared.pipe(
    Effect.catch((error) => Effect.as(failed(error), true)),
    Effect.repeat({ while: (again) => again }),
    Effect.asVoid,
  )
}

const sendBatch = Effect.fnUntraced(function* <Settings, R>(key: FeedKey, sink: BatchSink<Settings, R>) {
  const batch = yield* readBatch(key, sink)
  yield* sink.send(batch)
  return batch.caughtUp
})

const readBatch = Effect.fnUntraced(function* <Settings, R>(
  { workspace }: FeedKey,
  sink: BatchSink<Settings, R>,
) {
  const catalog = yield* Catalog
  const readAt = yield* Clock.currentTimeMillis
  const records: Array<ActivityRecord> = []
  let to = sink.readFrom()
  for (let pages = 1; ; pages++) {
    const { caughtUp, items, readTo } = yield* catalog.follow(workspace, sink.filter, to)
    records.push(...items)
    to = readTo ?? to
    if (caughtUp || pages >= sink.pagesMax) return { records, to, readAt, caughtUp } satisfies Batch
  }
})
