import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import { LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { Registry } from "@inlethq/core/ports/Registry"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { lakeStatements } from "@inlethq/lake/sql/lakeStatements"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import {
  byAnonymousId,
  byId,
  event,
  identify,
  merge,
  unmerge,
} from "@inlethq/store-conformance/script/commands"
import { Clock, Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { queryDuckDb } from "../../src/lake/duckDb.ts"
import { runLakeReader } from "../../src/lake/lakeReader.ts"
import { memoryStore, sqliteStore } from "../../src/lake/lakeStores.ts"

const submit = (...commands: Parameters<Ingest["Service"]["submit"]>[0]) =>
  Ingest.use((ingest) => ingest.submit(commands, 100))

const scenario = Effect.gen(function* () {
  const folder = freshDirectory()
  const settings = { target: "folder", url: folder, erasureDays: 7 } as const
  const workspace = yield* Registry.use((registry) =>
    registry.createWorkspace({ ...defaultSettings("One", "us"), lake: settings }),
  )
  const here = { in: workspace, receivedAt: yield* Clock.currentTimeMillis }
  /** Writes what is new, and returns the names of the events of each person. */
  const owners = Effect.gen(function* () {
    const { items, readTo } = yield* Catalog.use((catalog) => catalog.follow(workspace.id, noFilter, null))
    if (readTo === null) throw new Error("the log is empty")
    yield* runLakeReader(workspace.id, settings, readTo, () => {})
    const files = yield* LakeFiles.use((lake) => lake.files(workspace.id))
    const statements = lakeStatements("duckdb", { workspace: workspace.id, settings, files }, [])
    const rows = yield* Effect.promise(() =>
      queryDuckDb(
        statements,
        "SELECT string_agg(name, ' ' ORDER BY position) AS names FROM person_events GROUP BY person ORDER BY 1",
      ),
    )
    return { items, names: rows.map(({ names }) => names) }
  })
  yield* submit(
    identify(byId("ada"), [], here),
    event(byId("visitor"), "unknown", here),
    identify(byId("visitor"), [], { ...here, anonymousId: "cookie" }),
  )
  yield* submit(event(byId("ada"), "hers", here), event(byId("visitor"), "theirs", here))
  yield* submit(merge(byId("ada"), byId("visitor"), here))
  const merged = yield* owners
  const receipts = merged.items.flatMap(({ entry }) => mergeIn(entry) ?? [])
  yield* submit(event(byAnonymousId("cookie"), "since", here), event(byId("ada"), "ours", here))
  const named = (yield* owners).names
  yield* submit(...receipts.map((receipt) => unmerge(receipt, { ...here, divide: true })))
  return { merged: merged.names, named, separated: (yield* owners).names }
})

describe("once a merge is undone, each event in the lake belongs to whom it belonged before", () => {
  it.each([
    ["in memory", memoryStore],
    ["on SQLite", sqliteStore],
  ])("%s", async (_name, store) => {
    const found = await Effect.runPromise(
      scenario.pipe(Effect.provide(Layer.provideMerge(LakeThread.layer, store)), Effect.scoped),
    )
    assert.deepStrictEqual(found, {
      merged: ["unknown hers theirs"],
      named: ["unknown hers theirs since ours"],
      separated: ["hers ours", "unknown theirs since"],
    })
  })
})
