import type { Command } from "@inlet/core/Command"
import type { Result } from "effect"
import type { Receipt } from "../wire/Receipt.ts"

/** The cells of a row, and what makes a second arrival of it have no effect. */
export interface Row {
  readonly cells: ReadonlyArray<string>
  readonly deduplicationKey: string
}

/** Reads a row as a command, or says what is wrong with it. An empty cell is as good as none (contract §13). */
export type ReadRow<C extends Command> = (receipt: Receipt, row: Row) => Result.Result<C, string>

/** Makes a reader of rows from the names of their columns, or says what is wrong with those. */
export type ReadHeader<C extends Command> = (
  receipt: Receipt,
  names: ReadonlyArray<string>,
) => Result.Result<ReadRow<C>, ReadonlyArray<string>>
