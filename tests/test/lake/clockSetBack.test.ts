import { lakeCursor, lakeFlushCursor, LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import { Sequence } from "@inlethq/core/values/Identifier"
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

const scenario = (clock: LakeClock, folder: string) =>
  Effect.gen(function* () {
    const workspace = yield* Registry.use((registry) =>
      registry.createWorkspace(defaultSettings("One", "us")),
    )
    const receivedAt = clock.now
    const add = (name: string) =>
      Ingest.use((ingest) => ingest.submit([event(byId("ada"), name, { in: workspace, receivedAt })], 100))
    const { position, token } = yield* LogCursors.use((cursors) => cursors.claim(lakeCursor(workspace.id)))
    const target = folderTarget(folder)
    yield* readyWorkFolder(target, workspace.id)
    const commits = yield* LakeCommits.make({ workspace: workspace.id, token, target })
    const writer = new LakeWriter(commits, yield* makeCopying, position)
    const committed: Array<number | null> = []
    const copy = Effect.gen(function* () {
      yield* writer.copyNext
      committed.push(writer.committed)
    })
    yield* add("first")
    yield* copy
    yield* add("second")
    yield* copy
    clock.setBackHours(2)
    yield* copy
    clock.moveHours(0.1)
    yield* copy
    yield* add("third")
    yield* copy
    clock.setBackHours(2)
    const flush = lakeFlushCursor(workspace.id)
    yield* LogCursors.use((cursors) => cursors.advance(flush, Sequence.make(3), null))
    clock.moveHours(0.01)
    yield* copy
    const files = yield* LakeFiles.use((lake) => lake.files(workspace.id))
    return { committed, files: files.filter(({ table }) => table === "activity").length }
  })

describe("a lake whose clock is set back", () => {
  it("completes its files when they are old enough, and when somebody asks for them", async () => {
    const clock = new LakeClock()
    const done = await Effect.runPromise(
      scenario(clock, freshDirectory()).pipe(
        Effect.provide([Layer.provideMerge(LakeThread.layer, sqliteStore), clock.layer]),
      ),
    )
    assert.deepStrictEqual(done, { committed: [1, 1, 1, 2, 2, 3], files: 3 })
  })
})
