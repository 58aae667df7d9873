import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { readTimeOfAnyYear, toIso } from "@inlethq/core/values/Timestamp"

/** Log positions have this many digits in paths, so that paths sort as positions do. */
const digits = 20

/** The folder of a workspace's lake in its target. */
export const lakeFolder = (workspace: WorkspaceId): string => `lake/${workspace}`

export const manifestPath = (workspace: WorkspaceId): string => `${lakeFolder(workspace)}/_manifest.json`

/**
 * Returns the path of a file without rows. It is in no manifest, and lets engines read a table that has no file yet, because many
 * refuse an empty list of files.
 */
export const emptyPath = (workspace: WorkspaceId, table: LakeTable): string =>
  `${lakeFolder(workspace)}/_empty/${table}.parquet`

/** What the path of a file says about it. */
export interface Placed {
  readonly workspace: WorkspaceId
  readonly table: LakeTable
  readonly from: number
  readonly to: number
  /** The token of the reader that writes the file, and how often the range was rewritten under it. */
  readonly token: number
  readonly rewrite: number
  /** The receipt time of the first row. */
  readonly firstAt: EpochMillis
}

/** Returns the path of a file. Two readers never write the same path, because their tokens differ. */
export const filePath = ({ firstAt, from, rewrite, table, to, token, workspace }: Placed): string => {
  const generation = rewrite === 0 ? `g${token}` : `g${token}r${rewrite}`
  const range = `${padded(from)}-${padded(to)}.${generation}.parquet`
  const folder = `${lakeFolder(workspace)}/${table}`
  switch (table) {
    case "activity":
      return `${folder}/day=${dayOf(firstAt)}/${range}`
    case "subjects":
    case "erased":
      return `${folder}/${range}`
    case "people":
    case "objects":
      return `${folder}/at=${padded(to)}.${generation}.parquet`
  }
}

/** Returns the path of a file with rows that correct others. A reader writes at most one of each table after a position. */
export const repairPath = ({
  position,
  table,
  token,
  workspace,
}: Pick<Placed, "table" | "token" | "workspace"> & { readonly position: number }): string =>
  `${lakeFolder(workspace)}/${table}/repaired/${padded(position)}-${padded(position)}.g${token}.parquet`

const padded = (position: number): string => String(position).padStart(digits, "0")

/** Returns the day of a time in UTC, such as `2026-11-23`. */
const dayOf = (at: EpochMillis): string => toIso(at).slice(0, "2026-11-23".length)

const generationIn = /\.g(\d+)(?:r(\d+))?\.parquet$/

/** Returns the path of the next generation of a file. */
export const rewrittenPath = (path: string, token: number): string => {
  const [, of, rewrite] = generationIn.exec(path) ?? []
  const next = Number(of) === token ? Number(rewrite ?? 0) + 1 : 1
  return path.replace(generationIn, `.g${token}r${next}.parquet`)
}

const namePattern = /\/(?:(\d+)-\d+|at=\d+)\.g(\d+)(?:r\d+)?\.parquet$/

/**
 * Returns the generation in the path of an object, and the first position of its range, which is null for a snapshot.
 * Returns null if the object is no file of a lake.
 */
export const placeIn = (
  path: string,
): { readonly from: number | null; readonly generation: number } | null => {
  const [found, from, generation] = namePattern.exec(path) ?? []
  if (found === undefined) return null
  return { from: from === undefined ? null : Number(from), generation: Number(generation) }
}

/** Returns the start of the day of a file of activity, or null for any other file. */
export const dayIn = (path: string): EpochMillis | null => {
  const [, day] = /\/day=([^/]+)\//.exec(path) ?? []
  return day === undefined ? null : (readTimeOfAnyYear(day) ?? null)
}
