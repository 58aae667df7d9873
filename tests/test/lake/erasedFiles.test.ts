import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { LakeFiles, lakeCursor } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { lakeTables } from "@inlethq/lake/columns"
import { rangeFaults } from "@inlethq/lake/Manifest"
import { folderTarget } from "@inlethq/lake/targets/folder"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import { follow } from "@inlethq/outbound/follower/follow"
import { joinFiles } from "@inlethq/outbound/lake/joinFiles"
import { LakeCommits } from "@inlethq/outbound/lake/LakeCommits"
import { lakeDestination } from "@inlethq/outbound/lake/lakeDestination"
import { LakeMaintenance } from "@inlethq/outbound/lake/maintainLake"
import { SecretBox } from "@inlethq/outbound/SecretBox"
import {
  byAnonymousId,
  byId,
  event,
  identify,
  identifyObject,
  merge,
  objectOf,
  register,
  remove,
  report,
} from "@inlethq/store-conformance/script/commands"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Clock, Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { snapshotsIn } from "../../src/lake/icebergTable.ts"
import { memoryStore, sqliteStore } from "../../src/lake/lakeStores.ts"
import { activityInDuckDb, filesWith, readManifest } from "../../src/lake/readLake.ts"

const secrets = SecretBox.layer.pipe(Layer.provide(plainDigest))

/** Texts that only the deleted person's rows contain. */
const mark = "erase-me"

const submit = (...commands: Parameters<Ingest["Service"]["submit"]>[0]) =>
  Ingest.use((ingest) => ingest.submit(commands, 100))

const scenario = Effect.gen(function* () {
  const folder = freshDirectory()
  const workspace = yield* Registry.use((registry) =>
    registry.createWorkspace({
      ...defaultSettings("One", "us"),
      lake: { target: "folder", url: folder, erasureDays: 30 },
    }),
  )
  const here = { in: workspace, receivedAt: yield* Clock.currentTimeMillis }
  /** Writes what is new, into a file of its own. */
  const write = Effect.gen(function* () {
    const files = yield* LakeFiles.use((lake) => lake.files(workspace.id))
    yield* follow(lakeDestination)
    yield* Effect.repeat(
      Effect.delay(
        Effect.promise(async () => {
          const manifest = await readManifest(folder).catch(() => ({ files: [] }))
          const current = (await snapshotsIn(folder, "activity")).find(({ isCurrent }) => isCurrent)
          const shown = current?.files.length ?? 0
          return shown === manifest.files.filter(({ table }) => table === "activity").length
            ? manifest.files.length
            : 0
        }),
        "20 millis",
      ),
      { until: (count) => count > files.length },
    )
  }).pipe(Effect.scoped)
  const ada = byId(`${mark}-ada`)
  yield* submit(
    identify(ada, [["note", `${mark}-note`]], { ...here, email: `${mark}@example.com` }),
    event(byAnonymousId(`${mark}-cookie`), `${mark}-seen`, here),
    event(byId("bob"), "kept", here),
    identify(byId("carol"), [], here),
    identifyObject(objectOf("1", "acme"), [["plan", "kept"]], [[ada], [byId("bob")]], here),
  )
  yield* write
  yield* submit(
    identify(ada, [], { ...here, anonymousId: `${mark}-cookie` }),
    identify(byId("bob"), [], here),
  )
  yield* submit(
    event(byId(`${mark}-second`), `${mark}-more`, here),
    identify(byId(`${mark}-second`), [], here),
  )
  yield* submit(merge(ada, byId(`${mark}-second`), here))
  yield* write
  for (let more = 0; more < 7; more++) {
    yield* submit(event(byId("bob"), "later", here))
    yield* write
  }
  // A report about a message that belongs to no person names her address.
  yield* submit(
    register("d1", null, { ...here, recipient: "everyone@example.com" }),
    report("d1", "opened", { ...here, recipient: `${mark}@example.com` }),
  )
  yield* write
  yield* submit(remove(ada, here))
  yield* write
  return { folder, here, workspace }
})

const check = Effect.gen(function* () {
  const { folder, here, workspace } = yield* scenario
  const { token } = yield* LogCursors.use((cursors) => cursors.claim(lakeCursor(workspace.id)))
  const commits = yield* LakeCommits.make({ workspace: workspace.id, token, target: folderTarget(folder) })
  const lake = yield* LakeFiles
  const maintenance = new LakeMaintenance(commits, { target: "folder", url: folder, erasureDays: 30 })
  yield* maintenance.followErasures
  const [deletion, ...others] = yield* lake.erasures(workspace.id)
  assert.deepStrictEqual(others, [])
  if (deletion === undefined) return
  const before = yield* lake.files(workspace.id)
  const withMark = yield* Effect.promise(() => filesWith(folder, [mark]))
  yield* submit(remove(byId("carol"), here))
  const page = { after: null, limit: 1, order: "desc" } as const
  const { items } = yield* ErasureLedger.use((ledger) => ledger.read(workspace.id, page))
  const snapshots = yield* Effect.promise(() => snapshotsIn(folder, "activity"))
  assert.isAbove(snapshots.length, 2)
  yield* lake.hasten(workspace.id)
  yield* maintenance.followErasures
  // Each snapshot that readers of Iceberg may still take names only files that are left, and so nobody who was deleted.
  for (const table of lakeTables)
    for (const { missing } of yield* Effect.promise(() => snapshotsIn(folder, table)))
      assert.deepStrictEqual(missing, [])
  assert.deepStrictEqual(yield* lake.erasures(workspace.id), [])
  assert.deepStrictEqual(yield* lake.replaced(workspace.id), [])
  const erased = yield* Effect.promise(() => readManifest(folder))
  assert.deepStrictEqual(rangeFaults(erased.files), [])
  assert.deepStrictEqual(yield* Effect.promise(() => filesWith(folder, [mark])), [])
  const rewrites = yield* lake.rewrites(workspace.id, deletion.position)
  // A snapshot is not rewritten: the next one takes its place, as without a deletion.
  const ranges = before.filter(({ table }) => table !== "people" && table !== "objects")
  for (const file of ranges.filter(({ path }) => withMark.some((found) => found.endsWith(path)))) {
    const rewrite = rewrites.find(({ path }) => path === file.path)
    const replaced = erased.files.find(({ path }) => path === rewrite?.newPath)
    assert.deepStrictEqual([rewrite?.sha256, rewrite?.newSha256], [file.sha256, replaced?.sha256], file.path)
    assert.isDefined(replaced)
  }
  assert.isAbove(rewrites.length, 1)
  // The reader of the log has not come to this deletion, but its rows leave the files with the others.
  const [unread] = items
  assert.isDefined(unread)
  assert.isAbove((yield* lake.rewrites(workspace.id, unread?.position ?? deletion.position)).length, 0)
  const kept = erased.files.filter(({ path }) => before.some((file) => file.path === path))
  assert.isAbove(kept.length, 0)
  assert.isFalse(rewrites.some(({ path }) => kept.some((file) => file.path === path)))
  const shown = yield* Effect.promise(() => activityInDuckDb(folder, erased))
  assert.notInclude(JSON.stringify(shown), mark)
  assert.strictEqual(shown.filter(({ name }) => name === "kept").length, 1)
  assert.strictEqual(shown.filter(({ kind }) => kind === "object_identify").length, 1)
  assert.strictEqual(shown.filter(({ kind }) => kind === "delete").length, 1)

  yield* joinFiles(commits)
  const joined = yield* Effect.promise(() => readManifest(folder))
  assert.deepStrictEqual(rangeFaults(joined.files), [])
  assert.isBelow(joined.files.length, erased.files.length)
  assert.deepStrictEqual(yield* Effect.promise(() => activityInDuckDb(folder, joined)), shown)
})

describe("contract §16 lake erasure: a deletion reaches the files, and joined files have the same rows", () => {
  it.each([
    ["in memory", memoryStore],
    ["on SQLite", sqliteStore],
  ])("%s", (_name, store) =>
    Effect.runPromise(
      check.pipe(Effect.provide([Layer.provideMerge(LakeThread.layer, store), secrets]), Effect.scoped),
    ),
  )
})
