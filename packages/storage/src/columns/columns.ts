/** A row that a driver returned: its values by column name or by column index. */
export type Row = Readonly<Record<string, unknown>>

/** Returns the number in a column. Throws if the column contains anything else. */
export const integer = (column: unknown): number => {
  if (typeof column === "number") return column
  throw new TypeError("a column of the database must hold a number")
}

/** Returns the text in a column. Throws if the column contains anything else. */
export const text = (column: unknown): string => {
  if (typeof column === "string") return column
  throw new TypeError("a column of the database must hold a text")
}

/** Returns the number or the null in a column. Throws if the column contains anything else. */
export const integerOrNull = (column: unknown): number | null => (column === null ? null : integer(column))

/** Returns the text or the null in a column. Throws if the column contains anything else. */
export const textOrNull = (column: unknown): string | null => (column === null ? null : text(column))
