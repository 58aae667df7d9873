import { Catalog } from "@inlet/core/catalog/Catalog"
import type { LakeFile } from "@inlet/core/ports/LakeFiles"
import { LakeFiles } from "@inlet/core/ports/LakeFiles"
import { Sequence, SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import type { LakeRow } from "@inlet/lake/columns"
import { rewrittenPath } from "@inlet/lake/layout"
import { activityRow } from "@inlet/lake/rows/activityRows"
import { LakeThread } from "@inlet/lake/thread/LakeThread"
import type { Affected } from "@inlet/lake/thread/Request"
import { Effect, Option } from "effect"
import { join } from "node:path"
import type { LakeCommits } from "./LakeCommits.ts"

/** Writes each file again that has rows of somebody who is gone, without these rows. */
export const rewriteErased = Effect.fnUntraced(function* (commits: LakeCommits) {
  const files = yield* LakeFiles.use((lake) => lake.files(commits.lake.workspace))
  for (const file of files) yield* rewriteFile(commits, file)
})

const rewriteFile = Effect.fnUntraced(function* (commits: LakeCommits, file: LakeFile) {
  const { target, token, workspace } = commits.lake
  const { ask } = yield* LakeThread
  const { path: stored, table } = file
  if (table === "erased") return
  const path = yield* target.local(stored)
  const { subjects } = yield* ask("scan", { table, path })
  const gone = [...(yield* goneAmong(workspace, subjects))]
  const affected = yield* ask("affected", { table, path, gone })
  const rows = yield* renewedRows(workspace, affected)
  if (affected.dropped === 0 && rows.length === 0) return
  const work = join(target.workFolder, `${workspace}-${token}-rewrite.parquet`)
  yield* Effect.addFinalizer(() => Effect.ignore(ask("abort", { paths: [work] })))
  const { dropped, ...finished } = yield* ask("rewrite", { table, inputs: [path], path: work, gone, rows })
  const added = {
    ...file,
    ...finished,
    path: rewrittenPath(stored, token),
    generation: token,
    erased: table === "activity" ? file.erased + dropped : file.erased,
  }
  yield* target.put(added.path, work, added.sha256)
  yield* commits.commit({ added: [added], replaced: [stored], to: null, noticed: [], followed: [] })
}, Effect.scoped)

const goneAmong = (workspace: WorkspaceId, subjects: ReadonlyArray<number>) =>
  Catalog.use((catalog) =>
    catalog.goneAmong(workspace, new Set(subjects.map((subject) => SubjectKey.make(subject)))),
  )

/** Returns the rows that change although their subject exists: as the log shows them now, and without data if it is gone. */
const renewedRows = Effect.fnUntraced(function* (workspace: WorkspaceId, { addressed, named }: Affected) {
  const catalog = yield* Catalog
  const rows: Array<readonly [number, LakeRow | null]> = []
  for (const position of named) {
    const found = yield* catalog.operation(workspace, Sequence.make(position))
    rows.push([position, Option.match(found, { onNone: () => null, onSome: activityRow })])
  }
  for (const position of addressed) {
    const found = yield* catalog.operation(workspace, Sequence.make(position))
    if (Option.isSome(found) && found.value.isErased) rows.push([position, null])
  }
  return rows
})
