import { hash } from "node:crypto"
import type { LakeFile } from "@inlethq/core/ports/LakeFiles"

/** Says in short which files are in a table. Those without rows are in none. */
export const listedFiles = (files: ReadonlyArray<LakeFile>): string => {
  const paths = withRows(files).map(({ path }) => path)
  return hash("sha256", paths.toSorted().join("\n"), "hex")
}

export const withRows = (files: ReadonlyArray<LakeFile>): ReadonlyArray<LakeFile> =>
  files.filter(({ rows }) => rows > 0)
