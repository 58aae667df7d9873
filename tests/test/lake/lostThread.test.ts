import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { lakeCursor } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { folderTarget } from "@inlethq/lake/targets/folder"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import { makeCopying } from "@inlethq/outbound/lake/copying"
import { LakeCommits } from "@inlethq/outbound/lake/LakeCommits"
import { LakeWriter } from "@inlethq/outbound/lake/LakeWriter"
import { readyWorkFolder } from "@inlethq/outbound/lake/readyWorkFolder"
import { byId, event } from "@inlethq/store-conformance/script/commands"
import { Effect, Layer } from "effect"
import { assert, describe, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { LakeClock } from "../../src/lake/LakeClock.ts"
import { sqliteStore } from "../../src/lake/lakeStores.ts"
import { activityInDuckDb, readManifest } from "../../src/lake/readLake.ts"

/** Ends the thread, as the store does before it undoes commits that may be lost. */
class Undo {
  readonly closes: Array<() => Promise<void>> = []

  get now() {
    return Effect.promise(() => Promise.all(this.closes.map((close) => close())))
  }

  /** The thread of a store, which registers here how it ends. */
  readonly layer = LakeThread.layer.pipe(
    Layer.provide(
      Layer.effect(
        ThreadCatalog,
        Effect.map(ThreadCatalog, (catalog) =>
          ThreadCatalog.of({
            ...catalog,
            onUndo: (close) => Effect.sync(() => void this.closes.push(close)),
          }),
        ),
      ),
    ),
  )
}

const scenario = (undo: Undo, clock: LakeClock, folder: string) =>
  Effect.gen(function* () {
    const workspace = yield* Registry.use((registry) =>
      registry.createWorkspace(defaultSettings("One", "us")),
    )
    const add = (name: string) =>
      Ingest.use((ingest) =>
        ingest.submit([event(byId("ada"), name, { in: workspace, receivedAt: clock.now })], 100),
      )
    const { position, token } = yield* LogCursors.use((cursors) => cursors.claim(lakeCursor(workspace.id)))
    const target = folderTarget(folder)
    yield* readyWorkFolder(target, workspace.id)
    const commits = yield* LakeCommits.make({ workspace: workspace.id, token, target })
    const writer = new LakeWriter(commits, yield* makeCopying, position)
    yield* add("first")
    yield* writer.copyNext
    yield* add("open")
    yield* writer.copyNext
    yield* undo.now
    yield* add("later")
    const { message } = yield* Effect.flip(writer.copyNext)
    clock.moveHours(1)
    yield* writer.copyNext
    yield* add("last")
    clock.moveHours(1)
    yield* writer.copyNext
    const { items } = yield* Catalog.use((catalog) => catalog.follow(workspace.id, noFilter, null))
    return { message, names: items.map(({ entry }) => entry.name) }
  })

describe("rows that are lost with the thread of the lake", () => {
  it("are copied again, although nothing was asked of the thread when it ended", async () => {
    const undo = new Undo()
    const clock = new LakeClock()
    // The end of a day would complete the files, too.
    clock.moveToNextDay()
    const folder = freshDirectory()
    const { message, names } = await Effect.runPromise(
      scenario(undo, clock, folder).pipe(
        Effect.provide([Layer.provideMerge(undo.layer, sqliteStore), clock.layer]),
      ),
    )
    assert.match(message, /the rows of .* are lost/)
    const rows = await activityInDuckDb(folder, await readManifest(folder))
    assert.deepStrictEqual(names, ["first", "open", "later", "last"])
    assert.deepStrictEqual(
      rows.map(({ name }) => name),
      names,
    )
  })
})
