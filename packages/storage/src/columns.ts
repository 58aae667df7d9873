type ColumnValue = null | number | bigint | string | Uint8Array | undefined

/** A row that a driver returned: its values by column name, or by index. */
export type Row = Readonly<Record<string, ColumnValue>>

/** Returns the number in a column; throws if it holds anything else. */
export const integer = (column: ColumnValue): number => {
  if (typeof column === "number") return column
  throw new TypeError("a column of the database must hold a number")
}

/** Returns the text in a column; throws if it holds anything else. */
export const text = (column: ColumnValue): string => {
  if (typeof column === "string") return column
  throw new TypeError("a column of the database must hold a text")
}

/** Returns the number in a column, or null; throws if it holds anything else. */
export const integerOrNull = (column: ColumnValue): number | null =>
  column === null ? null : integer(column)

/** Returns the text in a column, or null; throws if it holds anything else. */
export const textOrNull = (column: ColumnValue): string | null => (column === null ? null : text(column))
