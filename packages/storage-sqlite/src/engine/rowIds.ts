import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Brand } from "effect"

/*
 * The tables `subjects`, `sizes` and `activity` have an INTEGER PRIMARY KEY, which is SQLite's fastest key. The key is
 * workspace × 2^38 + number. The number is a log position, or the key of a person, object or other subject. Therefore
 * the rows of one workspace form one range of ids. All other tables store these numbers unchanged, and their primary
 * keys begin with the workspace.
 */

const numberBits = 38
const numbersPerWorkspace = 2 ** numberBits

/** The largest key of a person, object or other subject, and the largest log position, that a workspace can have. */
export const numberMax = numbersPerWorkspace - 1

/**
 * The largest id of a workspace. With larger ids, row ids could exceed the integers that JavaScript numbers represent
 * exactly.
 */
export const workspaceMax = 2 ** 15 - 1

/** The tables whose row id combines the workspace with a number. */
export const packedTables: ReadonlySet<string> = new Set(["subjects", "sizes", "activity"])

/** The row id of a row in `subjects`, `sizes` or `activity`. */
export type RowId = number & Brand.Brand<"RowId">

const brandRowId = Brand.nominal<RowId>()

/**
 * Returns the row id of a subject key or log position of a workspace. If the number is greater than `numberMax`,
 * returns an id that no row has.
 */
export const rowId = (workspace: WorkspaceId, number: SubjectKey | Sequence): RowId =>
  brandRowId(workspace * numbersPerWorkspace + (number > numberMax ? 0 : number))

/**
 * Returns the range of row ids for the subject keys or log positions from `first` up to but not including `end`. The
 * range contains only rows of the workspace.
 */
export const rowIdRange = (
  workspace: WorkspaceId,
  first: number,
  end: number,
): readonly [first: RowId, end: RowId] => {
  const start = workspace * numbersPerWorkspace
  return [
    brandRowId(start + Math.min(first, numbersPerWorkspace)),
    brandRowId(start + Math.min(end, numbersPerWorkspace)),
  ]
}

/**
 * Returns SQL that computes a row id from the SQL of a workspace and the SQL of a number. The number must be at most
 * `numberMax`.
 */
export const sqlRowId = (workspace: string, number: string): string =>
  `((${workspace} << ${numberBits}) + ${number})`

/**
 * Returns SQL that computes the workspace from the SQL of a row id. Indexes contain this expression, so queries must
 * use it unchanged.
 */
export const sqlWorkspace = (id: string): string => `${id} >> ${numberBits}`

/** Returns SQL that computes the subject key or log position from the SQL of a row id. */
export const sqlNumber = (id: string): string => `(${id} & ${numberMax})`
