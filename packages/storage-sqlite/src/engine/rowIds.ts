import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { Brand } from "effect"

/*
 * The tables `subjects`, `sizes` and `activity` have an INTEGER PRIMARY KEY, which is SQLite's fastest key. It packs the workspace
 * with the subject key or the position: workspace × 2^38 + number. The rows of a workspace are therefore one range of ids. All other
 * columns hold plain numbers, in tables whose primary key begins with the workspace.
 */

const numberBits = 38
const numbersPerWorkspace = 2 ** numberBits

/** The largest subject key and the largest position in a workspace. */
export const numberMax = numbersPerWorkspace - 1

/** The largest id of a workspace. Greater row ids would not be exact in JavaScript's numbers. */
export const workspaceMax = 2 ** 15 - 1

/** A row id of `subjects`, `sizes` or `activity`. */
export type RowId = number & Brand.Brand<"RowId">

const brandRowId = Brand.nominal<RowId>()

/** Returns a row id. If the number is greater than `numberMax`, returns an id that no row has. */
export const rowId = (workspace: WorkspaceId, number: SubjectKey | Sequence): RowId =>
  brandRowId(workspace * numbersPerWorkspace + (number > numberMax ? 0 : number))

/** Returns the row ids of the numbers from `first` up to but not including `end`, as a range that stays in the workspace. */
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

/** Returns the SQL of a row id, given the SQL of a workspace and of a number that is at most `numberMax`. */
export const sqlRowId = (workspace: string, number: string): string =>
  `((${workspace} << ${numberBits}) + ${number})`

/** Returns the SQL of the workspace of a row id. Indexes contain this expression, so queries must use it unchanged. */
export const sqlWorkspace = (id: string): string => `${id} >> ${numberBits}`

/** Returns the SQL of the subject key or position in a row id. */
export const sqlNumber = (id: string): string => `(${id} & ${numberMax})`
