import { readFile } from "node:fs/promises"
import { hash } from "node:crypto"
import { join } from "node:path"
import { Catalog, noFilter, type Followed } from "@inlethq/core/catalog/Catalog"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { lakeCursor, LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { LakeSettings } from "@inlethq/core/workspace/LakeSettings"
import { defaultSettings, type Workspace } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { lakeColumns, lakeTables } from "@inlethq/lake/columns"
import { activityRow } from "@inlethq/lake/rows/activityRows"
import type { NamesThen } from "@inlethq/log/history/IdentifierWalk"
import { PastNames } from "@inlethq/log/history/PastNames"
import { byId, event } from "@inlethq/store-conformance/script/commands"
import { Effect } from "effect"
import { assert } from "vitest"
import { numbers } from "../../../tools/testing/randomNumbers.ts"
import { freshDirectory } from "../cleanup.ts"
import { Analyst } from "./analyst.ts"
import { activityByIcebird } from "./icebird.ts"
import { icebergGarbage, snapshotsIn } from "./icebergTable.ts"
import { KillPoints } from "./KillPoints.ts"
import { LakeClock } from "./LakeClock.ts"
import { LakePeople } from "./lakeCommands.ts"
import { runLakeReader } from "./lakeReader.ts"
import { activityInDuckDb, filesWith, readManifest } from "./readLake.ts"

/** The number of entries of a round, in which the reader of a lake fails. */
const perRound = 30

const makeLake = Effect.fnUntraced(function* (seed: number) {
  const draw = numbers(seed)
  const folder = freshDirectory()
  const clock = new LakeClock()
  const settings: LakeSettings = { target: "folder", url: folder, erasureDays: 2 }
  const workspace = yield* Registry.use((registry) =>
    registry.createWorkspace({ ...defaultSettings("One", "us"), lake: settings }),
  )
  const analyst = new Analyst(folder, () => clock.now)
  return { draw, folder, clock, settings, workspace, analyst, people: new LakePeople(draw) }
})

export type FailingLake = Effect.Success<ReturnType<typeof makeLake>>

const addEntries = Effect.fnUntraced(function* ({ clock, people, workspace }: FailingLake, count: number) {
  const commands = Array.from({ length: count }, () => people.command(workspace, clock.now))
  // An entry at the end that stays, because the files end with a row.
  const last = event(byId("keeper"), "kept", { in: workspace, receivedAt: clock.now })
  yield* Ingest.use((ingest) => ingest.submit([...commands, last], 100))
})

/** Writes the lake to the end of the log, or until it fails. */
const read = Effect.fnUntraced(function* (lake: FailingLake, end: Sequence, points: KillPoints) {
  const reader = runLakeReader(lake.workspace.id, lake.settings, end, () => lake.clock.moveHours(0.1))
  yield* Effect.raceFirst(reader.pipe(Effect.provide([points.layer, lake.clock.layer])), points.kill)
})

const wholeLog = Effect.fnUntraced(function* ({ id }: Workspace) {
  const catalog = yield* Catalog
  const records: Array<ActivityRecord> = []
  for (let after: Sequence | null = null; ;) {
    const { caughtUp, items, readTo }: Followed = yield* catalog.follow(id, noFilter, after)
    records.push(...items)
    after = readTo
    if (caughtUp && readTo !== null) return { records, end: readTo }
  }
})

/** Adds entries, and writes them with one or two readers that fail at a random step. */
const failingRound = Effect.fnUntraced(function* (lake: FailingLake) {
  const { analyst, clock, draw, workspace } = lake
  yield* addEntries(lake, perRound)
  clock.moveHours(draw(8))
  const { end } = yield* wholeLog(workspace)
  const points = () => new KillPoints(1 + draw(60), draw(4) === 0 ? "answer lost" : "killed", analyst.look)
  const readers = draw(3) === 0 ? [points(), points()] : [points()]
  // A reader whose cursor is claimed, or whose commit is not answered, ends with that error.
  yield* Effect.forEach(readers, (one) => Effect.ignore(read(lake, end, one)), { concurrency: 2 })
})

/** Returns the rows of the log as DuckDB shows them. */
const expectedRows = (records: ReadonlyArray<ActivityRecord>, names: ReadonlyMap<Sequence, NamesThen>) =>
  records.flatMap((record) => {
    const row = activityRow(record, names.get(record.entry.sequence) ?? null)
    if (row === null) return []
    const cells = lakeColumns.activity.map(({ name }, place) => [name, row[place]] as const)
    return [Object.fromEntries(cells.map(([name, cell]) => [name, cell === null ? null : String(cell)]))]
  })

/** Returns rows without what may have changed since they were written. */
const lasting = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !changing.has(name))))

const changing = new Set(["outcome", "others"])

/** The files are those of the manifest, unchanged, and their rows are the log. */
const expectWholeLog = Effect.fnUntraced(function* ({ folder, people, workspace }: FailingLake) {
  const { records } = yield* wholeLog(workspace)
  const manifest = yield* Effect.promise(() => readManifest(folder))
  assert.deepStrictEqual(manifest.files, yield* LakeFiles.use((files) => files.files(workspace.id)))
  for (const { path, sha256 } of manifest.files) {
    const bytes = yield* Effect.promise(() => readFile(join(folder, path)))
    assert.strictEqual(hash("sha256", bytes, "hex"), sha256, path)
  }
  const shown = yield* Effect.promise(() => activityInDuckDb(folder, manifest))
  const catalog = yield* Catalog
  const expected = expectedRows(records, yield* new PastNames(catalog, workspace.id).ofPage(null, records))
  assert.deepStrictEqual(lasting(shown), lasting(expected))
  const kept = JSON.stringify(expected)
  const gone = people.deleted.filter((name) => !kept.includes(name))
  assert.isAbove(gone.length, 1)
  assert.deepStrictEqual(yield* Effect.promise(() => filesWith(folder, gone)), [])
})

/** The tables of Iceberg have the files of the manifest, and nothing that they can read names somebody who was deleted. */
const expectTables = Effect.fnUntraced(function* ({ folder, people }: FailingLake) {
  const manifest = yield* Effect.promise(() => readManifest(folder))
  for (const table of lakeTables) {
    const snapshots = yield* Effect.promise(() => snapshotsIn(folder, table))
    const current = snapshots.find(({ isCurrent }) => isCurrent)
    const files = manifest.files.filter((file) => file.table === table && file.rows > 0)
    assert.sameDeepMembers(
      current?.files ?? [],
      files.map(({ path, rows }) => ({ path: join(folder, path), rows })),
    )
    for (const { missing, text } of snapshots) {
      assert.deepStrictEqual(missing, [])
      assert.deepStrictEqual(
        people.deleted.filter((name) => text.includes(name)),
        [],
      )
    }
  }
  assert.deepStrictEqual(yield* Effect.promise(() => icebergGarbage(folder)), [])
  assert.deepStrictEqual(
    yield* Effect.promise(() => activityByIcebird(folder)),
    yield* Effect.promise(() => activityInDuckDb(folder, manifest)),
  )
})

/** Writes a lake whose readers fail in each of some rounds, and then to its end. Each position is in exactly one file. */
export const failingLake = Effect.fnUntraced(function* (seed: number, rounds: number) {
  const lake = yield* makeLake(seed)
  const { analyst, workspace } = lake
  for (let round = 0; round < rounds; round++) yield* failingRound(lake)
  yield* addEntries(lake, 1)
  const { end } = yield* wholeLog(workspace)
  const neverKilled = Number.POSITIVE_INFINITY
  yield* read(lake, end, new KillPoints(neverKilled, "killed", analyst.look))
  // Maintenance ends with the writing beside it. This time there is nothing to write, so it joins what is left to join.
  yield* read(lake, end, new KillPoints(neverKilled, "killed", analyst.look))
  const files = yield* LakeFiles
  yield* files.hasten(workspace.id)
  yield* read(lake, end, new KillPoints(neverKilled))
  assert.deepStrictEqual(yield* files.erasures(workspace.id), [])
  assert.deepStrictEqual(yield* files.replaced(workspace.id), [])
  assert.strictEqual(yield* LogCursors.use((cursors) => cursors.position(lakeCursor(workspace.id))), end)
  yield* expectWholeLog(lake)
  yield* expectTables(lake)
  return lake
})
