import { Context, Effect, Fiber, Latch, Layer, Queue, Scope } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Command } from "@inlethq/core/Command"
import { Ingest } from "../src/commits/Ingest.ts"
import { IngestBounds, type SubmitError } from "../src/commits/IngestBounds.ts"
import { Store, StoreUnavailable, type BatchLimits } from "@inlethq/core/ports/Store"
import type { Needs } from "@inlethq/core/fold/Needs"
import { toEnd } from "@inlethq/core/Slices"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { makeWorkingSet, type WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"

/** The behaviour of the store: "down" makes commits fail, and "unreadable" makes loads fail. */
type Mood = "well" | "down" | "unreadable"

/** The time of every event. */
export const epoch = Date.UTC(2026, 0, 1)

/** The name of an event that makes the store throw an unexpected exception. */
export const poison = "poison"

/** The commit of an event with this name waits until the latch `slow` opens. */
export const slowName = "slow"

const down = (operation: string) => new StoreUnavailable({ operation, cause: "full" })

/**
 * A store that keeps only the positions of its log, with a gate that delays commits. If `inFlightMax` is greater than `writingMax`, `transact` returns
 * when a batch is written, and the returned effect waits until the batch is durable. If both are equal, `transact`
 * itself waits. Tests can make the store unavailable or let it throw an unexpected exception.
 */
const makeStore = Effect.fnUntraced(function* (batchLimits: BatchLimits) {
  const isDurableWhenWritten = batchLimits.writingMax === batchLimits.inFlightMax
  const nextSequences = new Map<WorkspaceId, Sequence>()
  const loaded = (workspace: WorkspaceId): WorkingSet =>
    makeWorkingSet(
      workspace,
      SubjectKey.make(1),
      nextSequences.get(workspace) ?? Sequence.make(1),
      (text) => text,
    )
  const gate = yield* Latch.make(true)
  const entered = yield* Queue.unbounded<void>()
  const commits: Array<ReadonlyArray<string>> = []
  const begun: Array<ReadonlyArray<string>> = []
  const loads: Array<Needs> = []
  const control: { mood: Mood; probes: number } = { mood: "well", probes: 0 }
  const slow = yield* Latch.make(true)
  const store = Store.of({
    batchLimits,
    transact: (needs, decide) =>
      Effect.gen(function* () {
        loads.push(needs)
        if (control.mood === "unreadable") return yield* down("read")
        const decided = toEnd(decide(loaded(needs.workspace)))
        const names = decided.entries.map(({ name }) => name ?? "")
        begun.push(names)
        yield* Queue.offer(entered, undefined)
        if (names.includes(poison)) return yield* Effect.die(new Error("a row that no table takes"))
        const durable = Effect.gen(function* () {
          yield* gate.await
          if (names.includes(slowName)) yield* slow.await
          if (control.mood === "down") return yield* down("commit")
          commits.push(names)
          nextSequences.set(needs.workspace, decided.state.nextSequence)
          return decided
        })
        return isDurableWhenWritten ? Effect.succeed(yield* durable) : durable
      }),
    building: Effect.succeed([]),
    holders: () => Effect.succeed([]),
    view: (needs) => Effect.sync(() => loaded(needs.workspace)),
    due: () => Effect.succeed([]),
    size: Effect.succeed(null),
    probe: Effect.suspend(() => {
      control.probes += 1
      return control.mood === "well" ? Effect.void : Effect.fail(down("commit"))
    }),
    registerUpload: ({ digest }) => Effect.succeed(digest),
    sweep: () => Effect.succeed({ entries: 0, done: true }),
  })
  return { store, gate, slow, commits, begun, loads, control, nextCommit: Queue.take(entered) }
})

export type Answer = Fiber.Fiber<ReadonlyArray<ActivityEntry>, SubmitError>

export interface World {
  readonly ingest: Ingest["Service"]
  /** A latch. While it is closed, commits wait before they are durable. */
  readonly gate: Latch.Latch
  /** A latch. While it is closed, a commit that contains the event `slowName` waits before it is durable. */
  readonly slow: Latch.Latch
  /** The names of the events in each commit. */
  readonly commits: ReadonlyArray<ReadonlyArray<string>>
  /** The names of the events in each batch, in the order in which the store received them. */
  readonly begun: ReadonlyArray<ReadonlyArray<string>>
  readonly loads: ReadonlyArray<Needs>
  readonly control: { mood: Mood; readonly probes: number }
  /** Waits until the next commit has reached the store. */
  readonly nextCommit: Effect.Effect<void>
  /** The scope that ingestion runs in. */
  readonly scope: Scope.Closeable
  /** Submits events with these names in one request, without waiting for the answer. */
  send(names: ReadonlyArray<string>, bytes?: number, workspace?: number): Effect.Effect<Answer>
}

/** Starts ingestion on a new store. */
export const makeWorld = Effect.fnUntraced(function* (
  bounds: Partial<IngestBounds> = {},
  limits: BatchLimits = { gatherMs: 0, writingMax: 1, inFlightMax: 1, spreadOver: () => 1 },
) {
  const { store, ...rest } = yield* makeStore(limits)
  const scope = yield* Scope.make()
  const defaults = yield* IngestBounds
  const layer = Ingest.layer.pipe(
    Layer.provide([
      Layer.succeed(Store, store),
      Layer.mock(Catalog, {}),
      Layer.succeed(IngestBounds, { ...defaults, ...bounds }),
    ]),
  )
  const ingest = Context.get(yield* Layer.buildWithScope(layer, scope), Ingest)
  const world: World = {
    ...rest,
    ingest,
    scope,
    send: (names, bytes = 1, workspace = 1) =>
      Effect.forkChild(
        ingest.submit(
          names.map((name) => named(name, workspace)),
          bytes,
        ),
        { startImmediately: true },
      ),
  }
  return world
})

export const named = (name: string, workspace = 1): Command => ({
  _tag: "RecordEvent",
  kind: "event",
  target: { _tag: "ByIdentifier", kind: "id", value: "1" },
  anonymousId: null,
  name,
  data: null,
  device: null,
  workspace: { id: WorkspaceId.make(workspace), ...defaultSettings(`workspace ${workspace}`, "us") },
  source: "track-v1",
  receivedAt: epoch,
  at: epoch,
  followsReceipt: true,
  originalTimestamp: null,
  batchIndex: null,
  deduplicationKey: null,
  sender: null,
  faults: [],
})

/** Starts a commit and holds it, so that all later requests wait behind it. */
export const holdFirst = Effect.fnUntraced(function* (world: World) {
  yield* world.gate.close
  const first = yield* world.send(["first"])
  yield* world.nextCommit
  return first
})

/** Returns the answer to a request: the names of its entries, or the name of the failure. */
export const answerOf = (answer: Answer): Effect.Effect<ReadonlyArray<string> | string> =>
  Fiber.join(answer).pipe(
    Effect.map((entries) => entries.map(({ name }) => name ?? "")),
    Effect.catchTags({
      Overloaded: () => Effect.succeed("Overloaded"),
      StoreUnavailable: () => Effect.succeed("StoreUnavailable"),
      WorkspaceDeleted: () => Effect.succeed("WorkspaceDeleted"),
    }),
    Effect.catchDefect(() => Effect.succeed("defect")),
  )

export const answersOf = (answers: ReadonlyArray<Answer>) => Effect.forEach(answers, answerOf)
