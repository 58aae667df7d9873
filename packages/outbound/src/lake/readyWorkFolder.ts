import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { lakeTables } from "@inlethq/lake/columns"
import { emptyPath, lakeFolder } from "@inlethq/lake/layout"
import { lakeTexts } from "@inlethq/lake/lakeTexts"
import type { LakeTarget } from "@inlethq/lake/targets/LakeTarget"
import { LakeFailed, LakeThread } from "@inlethq/lake/thread/LakeThread"
import { Effect } from "effect"

/**
 * Makes the folder for files that are being written, and removes those of earlier readers of the same log. Writes the files without
 * rows that statements read.
 */
export const readyWorkFolder = Effect.fnUntraced(function* (target: LakeTarget, workspace: WorkspaceId) {
  const { workFolder } = target
  yield* target.prepare(lakeFolder(workspace))
  const stale = yield* Effect.tryPromise({
    try: async () => {
      const names = await readdir(workFolder)
      return names.filter((name) => name.startsWith(`${workspace}-`)).map((name) => join(workFolder, name))
    },
    catch: (cause) =>
      new LakeFailed({
        message: lakeTexts.folder({
          action: "use",
          path: workFolder,
          reason: cause instanceof Error ? cause.message : String(cause),
        }),
      }),
  })
  const { ask } = yield* LakeThread
  yield* ask("abort", { paths: stale })
  for (const table of lakeTables) {
    const path = join(target.workFolder, `${workspace}-empty-${table}.parquet`)
    yield* ask("append", { table, path, rows: [] })
    const { sha256 } = yield* ask("finish", { path })
    yield* target.put(emptyPath(workspace, table), path, sha256)
  }
})
