import type { LakeSettings } from "@inlethq/core/workspace/LakeSettings"
import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { FieldType } from "./EventShapes.ts"

/** The lake that statements read. */
export interface ReadLake {
  readonly workspace: WorkspaceId
  readonly settings: LakeSettings
}

/** How an engine reads files and defines views. */
export interface Dialect {
  /** Statements that come first. */
  begin(schema: string, lake: ReadLake): ReadonlyArray<string>
  /** The address of the lake, to which the paths of its files are appended. */
  root(settings: LakeSettings): string
  /**
   * Defines the view of a table over its files, which is empty if there are none. It finds later files by itself, unless the engine
   * cannot read the list of files where they are: then it reads `urls`.
   */
  table(schema: string, name: string, table: LakeTable, lake: ReadLake, urls: ReadonlyArray<string>): string
  view(schema: string, name: string, query: string): string
  /** The statement after which queries name the views without the schema. */
  use(schema: string): string
  /** The value of a column in the row with the largest position. */
  latest(column: string): string
  /** A field of the JSON in the column `data`, or null if its value has another type. */
  field(key: string, type: FieldType): string
  literal(text: string): string
  identifier(name: string): string
}

/** Returns the folder, or the bucket with its prefix as a URL whose scheme is `s3`. */
export const rootOf = ({ url }: LakeSettings): string => url.replace(/\/+$/, "")

/** Returns a text as a literal of standard SQL. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Returns a name as an identifier of standard SQL. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
