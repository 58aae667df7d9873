import type { LakeTable, PositionRange } from "@inlethq/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { readTimeOfAnyYear, toIso } from "@inlethq/core/values/Timestamp"
import { lakeTables } from "./columns.ts"

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

/** The folder of a table as Iceberg sees it: its metadata are in the folder `metadata` below. */
export const icebergFolder = (workspace: WorkspaceId, table: LakeTable): string =>
  `${lakeFolder(workspace)}/${table}`

export const icebergPath = (workspace: WorkspaceId, table: LakeTable, name: string): string =>
  `${icebergFolder(workspace, table)}/metadata/${name}`

/** The path of one version of the metadata of a table. Whoever writes it first has published the version. */
export const icebergMetadataPath = (workspace: WorkspaceId, table: LakeTable, version: number): string =>
  icebergPath(workspace, table, `v${version}.metadata.json`)

/** The path of the text that says which version of the metadata of a table is the newest, or was a moment ago. */
export const icebergHintPath = (workspace: WorkspaceId, table: LakeTable): string =>
  icebergPath(workspace, table, "version-hint.text")

/** Returns the version in the path of metadata of a table, or null if it is the path of something else. */
export const versionIn = (path: string): number | null => {
  const [, version] = /\/metadata\/v(\d+)\.metadata\.json$/.exec(path) ?? []
  return version === undefined ? null : Number(version)
}

/** Whether an object is a manifest or a list of manifests, or was on its way to its name when its writer died. */
export const isIcebergWork = (path: string): boolean =>
  /\/metadata\/(?:files|snap)-g\d+-[^/]*\.avro$|\/metadata\/[^/]*\.new$/.test(path)

/** Returns the table of a file of a lake, or null if it is no file of one. */
export const tableIn = (path: string): LakeTable | null => {
  const [, table] = /^lake\/\d+\/([a-z]+)\//.exec(path) ?? []
  return lakeTables.find((one) => one === table) ?? null
}

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

const rangePattern = /\/(\d+)-(\d+)\.g\d+(?:r\d+)?\.parquet$/

/** Returns the positions in the path of a file, or null if it is a snapshot. */
export const rangeIn = (path: string): PositionRange | null => {
  const [, from, to] = rangePattern.exec(path) ?? []
  return from === undefined || to === undefined ? null : { from: Number(from), to: Number(to) }
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
