import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { DestinationHours } from "@inlethq/core/ports/DestinationHours"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import { Sequence } from "@inlethq/core/values/Identifier"
import { defaultSettings, type Workspace } from "@inlethq/core/workspace/Workspace"
import * as MemoryLogCursors from "@inlethq/storage-memory/logCursors"
import * as Memory from "@inlethq/storage-memory/Memory"
import { byId, identify } from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Clock, Effect, Layer, Schema } from "effect"
import { DestinationFailed, type Destination, type Sink } from "../../src/follower/Destination.ts"
import { follow } from "../../src/follower/follow.ts"
import { workspaceDestination, type SendEntries } from "../../src/follower/workspaceDestination.ts"
import { MayDeliver } from "../../src/MayDeliver.ts"
import { fileDestination } from "./fileDestination.ts"

const stores = Ingest.layer.pipe(
  Layer.provideMerge(Layer.merge(Memory.layer, MemoryLogCursors.layer)),
  Layer.provide(plainDigest),
)

const makeWorkspace = Registry.use((registry) => registry.createWorkspace(defaultSettings("One", "us")))

/** Adds `count` entries to the log of a workspace, each in a commit of its own. */
const addEntries = Effect.fnUntraced(function* (workspace: Workspace, count: number) {
  const receivedAt = yield* Clock.currentTimeMillis
  const command = identify(byId("ada"), [["plan", "pro"]], { in: workspace, receivedAt })
  for (let added = 0; added < count; added++) {
    yield* Ingest.use((ingest) => ingest.submit([command], 100))
  }
})

/** Repeats an effect until its result is `expected`. */
const until = <A, E, R>(effect: Effect.Effect<A, E, R>, expected: A) =>
  Effect.repeat(Effect.delay(effect, "20 millis"), { until: (value) => value === expected })

const cursorOf = ({ id: workspace }: Workspace, destination: string) => ({ workspace, destination })

const positionOf = (workspace: Workspace, destination: string) =>
  LogCursors.use((cursors) => cursors.position(cursorOf(workspace, destination)))

const Line = Schema.fromJsonString(Schema.Struct({ sequence: Schema.Int }))

const sequencesIn = async (path: string): Promise<ReadonlyArray<number>> => {
  const lines = (await readFile(path, "utf8")).split("\n").slice(0, -1)
  return lines.map((line) => Schema.decodeUnknownSync(Line)(line).sequence)
}

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "inlet-follow-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true })),
)

describe("a destination that appends entries to a file", () => {
  it("is the example in docs/extending.md", async () => {
    const source = await readFile(new URL("fileDestination.ts", import.meta.url), "utf8")
    const page = await readFile(new URL("../../../../docs/extending.md", import.meta.url), "utf8")
    assert.include(page, source.slice(source.indexOf("/**")))
  })

  it.live("the file has each entry once and in order, although the follower stops and starts again", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const workspace = yield* makeWorkspace
      const path = join(folder, `${workspace.id}.ndjson`)
      for (const last of [150, 300]) {
        yield* addEntries(workspace, 75)
        yield* Effect.gen(function* () {
          yield* follow(fileDestination(folder))
          yield* addEntries(workspace, 75)
          yield* until(positionOf(workspace, "file"), Sequence.make(last))
        }).pipe(Effect.scoped)
      }
      const written = yield* Effect.promise(() => sequencesIn(path))
      assert.deepStrictEqual(
        written,
        Array.from({ length: 300 }, (_, index) => index + 1),
      )
    }).pipe(Effect.provide(stores), Effect.scoped),
  )

  it.live("what it passed and how far it was behind is kept by hour, also when the node stops", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const workspace = yield* makeWorkspace
      yield* addEntries(workspace, 3)
      yield* Effect.gen(function* () {
        const { status } = yield* follow(fileDestination(join(folder, "missing")))
        yield* until(
          Effect.map(status, ({ feeds }) => feeds[0]?.failure !== null && feeds[0] !== undefined),
          true,
        )
        yield* Effect.promise(() => mkdir(join(folder, "missing")))
        yield* until(positionOf(workspace, "file"), Sequence.make(3))
      }).pipe(Effect.scoped)
      const hours = yield* (yield* DestinationHours).since(workspace.id, "file", 0)
      assert.strictEqual(
        hours.reduce((sum, { entries }) => sum + entries, 0),
        3,
      )
    }).pipe(Effect.provide(stores), Effect.scoped),
  )

  it.live("the status says why nothing can be written, until it can be written", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporaryFolder, "missing")
      const workspace = yield* makeWorkspace
      yield* addEntries(workspace, 1)
      const { status } = yield* follow(fileDestination(folder))
      const feed = Effect.map(status, ({ feeds }) => feeds[0])
      const failing = yield* Effect.repeat(Effect.delay(feed, "20 millis"), {
        until: (one) => one !== undefined && one.failure !== null,
      })
      assert.include(failing?.failure, `cannot write to ${folder}`)
      assert.deepInclude(failing, { workspace: workspace.id, id: null, position: null })
      assert.isAtLeast(failing?.lagMs ?? 0, 1)
      yield* Effect.promise(() => mkdir(folder))
      yield* until(
        Effect.map(feed, (one) => one?.failure ?? one?.position),
        Sequence.make(1),
      )
    }).pipe(Effect.provide(stores), Effect.scoped),
  )
})

/** The settings of a destination that every workspace uses. */
const On = Schema.Literal("on")

/** Calls `send` for each batch of each workspace. */
const destinationOf = (send: SendEntries<LogCursors>) =>
  workspaceDestination({
    name: "test",
    title: "a test",
    settings: On,
    settingsOf: () => On.literal,
    pagesMax: 1,
    open: () => send,
  })

describe("a follower whose cursor another node has claimed", () => {
  /** Claims the cursor while the first batch is sent. Returns the number of batches that were sent. */
  const claimedDuringSend = Effect.fnUntraced(function* (workspace: Workspace) {
    let sent = 0
    const send = Effect.fnUntraced(function* () {
      sent++
      if (sent === 1) yield* LogCursors.use((cursors) => cursors.claim(cursorOf(workspace, "test")))
    })
    const { status } = yield* follow(destinationOf(send))
    return { sent: () => sent, status }
  })

  it.live("sends the batch again if it still may deliver, and then moves the cursor", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      yield* addEntries(workspace, 1)
      const { sent } = yield* claimedDuringSend(workspace)
      yield* until(positionOf(workspace, "test"), Sequence.make(1))
      assert.strictEqual(sent(), 2)
    }).pipe(Effect.provide(stores), Effect.scoped),
  )

  it.live("does not move the cursor, and stops if it lost the lease", () =>
    Effect.gen(function* () {
      let answers = 0
      const workspace = yield* makeWorkspace
      yield* addEntries(workspace, 1)
      // The node learns that it lost the lease when it asks for the third time: after the list of feeds, and after the
      // first preparation.
      const mayDeliver = Effect.sync(() => ++answers <= 2)
      const { sent, status } = yield* claimedDuringSend(workspace).pipe(
        Effect.provideService(MayDeliver, mayDeliver),
      )
      yield* until(
        Effect.map(status, ({ feeds }) => feeds.length === 0 && sent() > 0),
        true,
      )
      assert.strictEqual(sent(), 1)
      assert.isNull(yield* positionOf(workspace, "test"))
    }).pipe(Effect.provide(stores), Effect.scoped),
  )
})

describe("a destination that stores its progress by itself", () => {
  it.live("receives every position in exactly one of the ranges that it has stored", () =>
    Effect.gen(function* () {
      const total = 250
      const ranges: Array<ReadonlyArray<number>> = []
      let position: Sequence | null = null
      let calls = 0
      const sink: Sink<"on", never> = {
        settings: "on",
        filter: noFilter,
        pagesMax: 1,
        readFrom: () => position,
        ready: Effect.void,
        send: ({ records, to }) =>
          Effect.suspend(() => {
            if (++calls === 2) return Effect.fail(new DestinationFailed({ message: "away" }))
            ranges.push(records.map(({ entry }) => entry.sequence))
            position = to
            return Effect.void
          }),
        progress: () => ({ position, oldestReceivedAt: null, failure: null }),
        run: () => Effect.never,
        stop: () => {},
      }
      const workspace = yield* makeWorkspace
      yield* addEntries(workspace, total)
      const destination: Destination<"on", never> = {
        name: "ranges",
        title: "a test",
        settings: On,
        feeds: Effect.succeed([{ workspace: workspace.id, id: null, settings: "on" }]),
        prepare: () => Effect.succeedSome(sink),
      }
      yield* follow(destination)
      yield* until(
        Effect.sync(() => position),
        Sequence.make(total),
      )
      assert.isAbove(ranges.length, 2)
      assert.deepStrictEqual(
        ranges.flat(),
        Array.from({ length: total }, (_, index) => index + 1),
      )
    }).pipe(Effect.provide(stores), Effect.scoped),
  )
})
