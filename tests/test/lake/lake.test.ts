import { readFile } from "node:fs/promises"
import { hash } from "node:crypto"
import { join } from "node:path"
import { Catalog, noFilter, type Followed } from "@inlet/core/catalog/Catalog"
import type { Command } from "@inlet/core/Command"
import { lakeCursor, LakeFiles } from "@inlet/core/ports/LakeFiles"
import { LogCursors } from "@inlet/core/ports/LogCursors"
import { Registry } from "@inlet/core/ports/Registry"
import type { Sequence } from "@inlet/core/values/Identifier"
import { defaultSettings, type Workspace } from "@inlet/core/workspace/Workspace"
import { Ingest } from "@inlet/engine/commits/Ingest"
import { lakeColumns } from "@inlet/lake/columns"
import { rangeFaults } from "@inlet/lake/Manifest"
import { activityRow } from "@inlet/lake/rows/activityRows"
import { LakeThread } from "@inlet/lake/thread/LakeThread"
import { follow } from "@inlet/outbound/follower/follow"
import { lakeDestination } from "@inlet/outbound/lake/lakeDestination"
import { SecretBox } from "@inlet/outbound/webhooks/SecretBox"
import { PostgresServer } from "@inlet/postgres-server/PostgresServer"
import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import {
  addDevice,
  byAnonymousId,
  byEmail,
  byId,
  event,
  identify,
  identifyObject,
  merge,
  objectOf,
  reject,
} from "@inlet/store-conformance/commands"
import { plainDigest } from "@inlet/store-conformance/digest"
import { Clock, Effect, Layer } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { KillPoints } from "../../src/lake/KillPoints.ts"
import { memoryStore, postgresStore, sqliteStore } from "../../src/lake/lakeStores.ts"
import { activityInDuckDb, readManifest } from "../../src/lake/readLake.ts"

const hostile = [
  "",
  "'; DROP TABLE activity; --",
  '"\\ \u0000',
  "\ud83d",
  "😀 שלום ‮",
  "\u2028",
  "x".repeat(3000),
]

/** Draws from a seed: the same seed gives the same draws. */
const drawsFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Returns a command of any kind about a few people. */
const someCommand = (draw: (below: number) => number, workspace: Workspace, receivedAt: number): Command => {
  const here = { in: workspace, receivedAt }
  const text = hostile[draw(hostile.length)] ?? ""
  const person = byId(`p${draw(6)}`)
  switch (draw(8)) {
    case 0:
      return identify(person, [["note", text]], { ...here, email: `p${draw(6)}@example.com` })
    case 1:
      return identify(person, [], { ...here, anonymousId: `a${draw(4)}` })
    case 2:
      return event(byAnonymousId(`a${draw(4)}`), "page seen", here)
    case 3:
      return merge(person, byId(`p${draw(6)}`), here)
    case 4:
      return identifyObject(objectOf("1", "acme"), [["plan", text]], [[person]], here)
    case 5:
      return addDevice(byEmail(`p${draw(6)}@example.com`), `token${draw(3)}`, [["os", text]], here)
    case 6:
      return reject(here)
    default:
      return event(person, text === "" ? "bought" : text, { ...here, data: { [text]: text, n: draw(9) } })
  }
}

const makeLake = (url: string) =>
  Registry.use((registry) =>
    registry.createWorkspace({
      ...defaultSettings("One", "us"),
      lake: { target: "folder", url, erasureDays: 7 },
    }),
  )

const addEntries = Effect.fnUntraced(function* (
  draw: (below: number) => number,
  workspace: Workspace,
  count: number,
) {
  const now = yield* Clock.currentTimeMillis
  const commands = Array.from({ length: count }, () => someCommand(draw, workspace, now))
  yield* Ingest.use((ingest) => ingest.submit(commands, 100))
})

const committed = ({ id }: Workspace) => LogCursors.use((cursors) => cursors.position(lakeCursor(id)))

/** Writes the lake until its manifest contains the whole log. */
const writeToEnd = Effect.fnUntraced(function* (folder: string, workspace: Workspace, end: Sequence) {
  yield* follow(lakeDestination)
  const published = Effect.promise(() =>
    readManifest(folder).then(
      ({ to }) => to,
      () => null,
    ),
  )
  yield* Effect.repeat(Effect.delay(published, "20 millis"), { until: (to) => to === end })
  assert.strictEqual(yield* committed(workspace), end)
}, Effect.scoped)

const wholeLog = Effect.fnUntraced(function* ({ id }: Workspace) {
  const catalog = yield* Catalog
  const records: Array<ActivityRecord> = []
  for (let after: Sequence | null = null; ;) {
    const { caughtUp, items, readTo }: Followed = yield* catalog.follow(id, noFilter, after)
    records.push(...items)
    after = readTo
    if (caughtUp) return { records, end: readTo }
  }
})

/** Returns the rows of the log as DuckDB shows them. */
const expectedRows = (records: ReadonlyArray<ActivityRecord>) =>
  records.flatMap((record) => {
    const row = activityRow(record)
    if (row === null) return []
    const cells = lakeColumns.activity.map(({ name }, place) => [name, row[place]] as const)
    return [Object.fromEntries(cells.map(([name, cell]) => [name, cell === null ? null : String(cell)]))]
  })

/** What the identifiers of a person are at the time of writing may have changed since. */
const withoutIdentity = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !identity.has(name))))

const identity = new Set(["anonymous_id", "email", "id", "outcome", "svc_id", "others"])

const secrets = SecretBox.layer.pipe(Layer.provide(plainDigest))

const rounds = 14
const perRound = 60

const law = Effect.fnUntraced(function* (seed: number) {
  const draw = drawsFrom(seed)
  const folder = freshDirectory()
  const workspace = yield* makeLake(folder)
  for (let round = 0; round < rounds; round++) {
    yield* addEntries(draw, workspace, perRound)
    const { end } = yield* wholeLog(workspace)
    if (end === null) throw new Error("the log is empty")
    const points = new KillPoints(1 + draw(14))
    yield* Effect.raceFirst(
      writeToEnd(folder, workspace, end).pipe(Effect.provide(points.layer)),
      points.kill,
    )
  }
  const { end, records } = yield* wholeLog(workspace)
  if (end === null) throw new Error("the log is empty")
  yield* addEntries(draw, workspace, 1)
  const last = yield* wholeLog(workspace)
  yield* writeToEnd(folder, workspace, last.end ?? end)
  const files = yield* LakeFiles.use((lake) => lake.files(workspace.id))
  assert.deepStrictEqual(rangeFaults(files), [])
  assert.isAbove(files.length, 2)
  const manifest = yield* Effect.promise(() => readManifest(folder))
  assert.deepStrictEqual(manifest.files, files)
  for (const { path, sha256 } of files) {
    const bytes = yield* Effect.promise(() => readFile(join(folder, path)))
    assert.strictEqual(hash("sha256", bytes, "hex"), sha256, path)
  }
  const shown = yield* Effect.promise(() => activityInDuckDb(folder, manifest))
  assert.deepStrictEqual(
    shown.map(({ position }) => position),
    last.records.map(({ entry }) => String(entry.sequence)),
  )
  assert.deepStrictEqual(withoutIdentity(shown), withoutIdentity(expectedRows(last.records)))
  assert.isAbove(records.length, rounds * perRound - 1)
})

const check = <E, R>(
  store: Layer.Layer<R | Catalog | Ingest | LakeFiles | LogCursors | Registry, E>,
  seed: number,
) => Effect.runPromise(law(seed).pipe(Effect.provide([LakeThread.layer, secrets, store]), Effect.scoped))

describe("after random kills, each position of the log is in exactly one file, with its values", () => {
  let server: PostgresServer

  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(() => server.stop())

  it("in memory", () => check(memoryStore, 3))

  it.each([1, 2])("on SQLite, seed %i", (seed) => check(sqliteStore, seed))

  it("on PostgreSQL", async () => check(postgresStore(server.url(await server.createDatabase())), 5))
})
