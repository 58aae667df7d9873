import type { SQLOutputValue } from "node:sqlite"

type Column = SQLOutputValue | undefined

/** A row as SQLite gives it, by column. */
export type Row = Readonly<Record<string, Column>>

/** The number in a column; a defect where there is none. */
export const integer = (column: Column): number => {
  if (typeof column === "number") return column
  throw new TypeError("a column of the database holds no number")
}

/** The text in a column; a defect where there is none. */
export const text = (column: Column): string => {
  if (typeof column === "string") return column
  throw new TypeError("a column of the database holds no text")
}

export const integerOrNull = (column: Column): number | null => (column === null ? null : integer(column))

export const textOrNull = (column: Column): string | null => (column === null ? null : text(column))
