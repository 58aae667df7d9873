import type { Command } from "@inlethq/core/Command"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Result } from "effect"
import type { Receipt } from "../decoding/Receipt.ts"

/** The cells of a row, and its deduplication key. If the file is imported again, the row has the same key. */
export interface Row {
  readonly cells: ReadonlyArray<string>
  readonly deduplicationKey: string
}

/** Decodes a row as a command, or returns an error message. An empty cell counts as missing (contract §13). */
export type ReadRow<C extends Command> = (receipt: Receipt, row: Row) => Result.Result<C, string>

/** Checks the column names of a file. Returns the decoder of its rows, or error messages if the names are invalid. */
export type ReadHeader<C extends Command> = (
  receipt: Receipt,
  names: ReadonlyArray<string>,
) => Result.Result<ReadRow<C>, ReadonlyArray<string>>

/** Returns the cells of a row by the names of their columns, as an object that has a key for each. */
export const rowOf = (names: ReadonlyArray<string>, cells: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ""]))
