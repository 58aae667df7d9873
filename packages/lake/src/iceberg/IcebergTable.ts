import type { LakeFile, LakeTable } from "@inlethq/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { icebergFolder } from "../layout.ts"

/** Asks for the metadata of a table that follow the ones before. */
export interface TableToWrite {
  readonly workspace: WorkspaceId
  readonly table: LakeTable
  /** The address of the lake, to which the paths of its files are appended. */
  readonly root: string
  readonly token: number
  readonly version: number
  readonly now: EpochMillis
  /** The metadata of the version before, or null if there is none. */
  readonly previous: string | null
  /** Local files with the manifests of its current snapshot. */
  readonly manifests: ReadonlyArray<string>
  /** The files of the table. */
  readonly files: ReadonlyArray<LakeFile>
  /** The replaced files of the lake whose objects still exist. */
  readonly replaced: ReadonlyArray<string>
  /** Snapshots with a smaller sequence number are no longer named, apart from the current one. */
  readonly keepFrom: number
  readonly workFolder: string
}

/** Metadata of a table that are not published yet. Paths of objects are those of a target. */
export interface WrittenTable {
  readonly text: string
  readonly state: ReadTable
  /** What the text names must be in its place before the text is. */
  readonly objects: ReadonlyArray<WrittenObject>
  /** The objects that the version before names, and this one does not. */
  readonly dropped: ReadonlyArray<string>
}

export interface WrittenObject {
  readonly path: string
  readonly file: string
  readonly sha256: string
}

/** Where a table is. */
export type Place = Pick<TableToWrite, "root" | "table" | "workspace">

/** Asks what published metadata say. */
export interface TableToRead extends Place {
  readonly text: string | null
}

/** Asks whether the manifests of the current snapshot of a table, in local files, name the files that were committed. */
export interface TableToCheck extends Pick<TableToWrite, "files" | "manifests" | "root"> {}

/** What a published version of a table is made of. */
export interface ReadTable {
  /** Which files its current snapshot has, or null if the text is no metadata of this table. */
  readonly listed: string | null
  readonly sequence: number
  /** The paths of the manifests of the current snapshot in a target. */
  readonly manifests: ReadonlyArray<string>
  /** The paths of everything that the metadata name, apart from files with rows. */
  readonly named: ReadonlyArray<string>
}

export const locationOf = ({ root, table, workspace }: Place): string =>
  `${root}/${icebergFolder(workspace, table)}`
