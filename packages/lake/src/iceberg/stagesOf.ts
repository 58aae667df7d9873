import type { LakeFile } from "@inlethq/core/ports/LakeFiles"
import { rangeIn } from "../layout.ts"
import type { Entry } from "./entries.ts"
import type { TableToWrite } from "./IcebergTable.ts"

/** The files that a snapshot has, and what kind of change leads to it. */
export interface Stage {
  readonly files: ReadonlyArray<LakeFile>
  readonly operation: "append" | "overwrite" | "replace"
}

/**
 * The snapshots that lead from the entries before to the files now. Joined files have the same rows as those before, and readers that
 * follow a table skip a snapshot that says so. Files that are new besides come in a snapshot of their own.
 */
export const stagesOf = (
  { root, table }: TableToWrite,
  entries: ReadonlyArray<Entry>,
  files: ReadonlyArray<LakeFile>,
): ReadonlyArray<Stage> => {
  const before = new Set(entries.map(({ data_file }) => data_file.file_path))
  const now = new Set(files.map(({ path }) => `${root}/${path}`))
  const added = files.filter(({ path }) => !before.has(`${root}/${path}`))
  const removed = entries.filter(({ data_file }) => !now.has(data_file.file_path))
  if (removed.length === 0) return added.length === 0 ? [] : [{ files, operation: "append" }]
  if (table === "people" || table === "objects") return [{ files, operation: "overwrite" }]
  const ranges = removed.map(({ data_file }) => rangeIn(data_file.file_path))
  const covers = new Set(
    added.filter(({ from, to }) =>
      ranges.some((range) => range !== null && from <= range.from && range.to <= to),
    ),
  )
  const rows = removed.reduce((sum, { data_file }) => sum + data_file.record_count, 0)
  const isJoin =
    covers.size < removed.length && rows === [...covers].reduce((sum, file) => sum + file.rows, 0)
  const operation = isJoin ? "replace" : "overwrite"
  if (covers.size === added.length) return [{ files, operation }]
  const replaced = files.filter((file) => covers.has(file) || before.has(`${root}/${file.path}`))
  return [
    { files: replaced, operation },
    { files, operation: "append" },
  ]
}
