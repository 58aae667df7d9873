import type { Command } from "@inlet/core/Command"
import type { Result } from "effect"
import type { Receipt } from "../wire/Receipt.ts"

/** The cells of a row, and the key that deduplicates it if the file is imported again. */
export interface Row {
  readonly cells: ReadonlyArray<string>
  readonly deduplicationKey: string
}

/** Decodes a row as a command, or returns an error message. An empty cell counts as missing (contract §13). */
export type ReadRow<C extends Command> = (receipt: Receipt, row: Row) => Result.Result<C, string>

/** Returns a reader of rows for these column names, or error messages if they are invalid. */
export type ReadHeader<C extends Command> = (
  receipt: Receipt,
  names: ReadonlyArray<string>,
) => Result.Result<ReadRow<C>, ReadonlyArray<string>>
