import { text, textOrNull } from "@inlethq/storage/columns/columns"
import { fromStored, toStored } from "@inlethq/storage/columns/storedText"
import type { TransferRow, TransferTable, Value } from "@inlethq/storage/columns/transferTables"
import { shortened } from "../tables/indexedText.ts"

/*
 * Codecs for the tables that the PostgreSQL store saves in another form than the SQLite store. If a deduplication key or
 * a lookup text (such as `email:ada@example.com`) is too long for an index, the PostgreSQL store indexes its beginning and
 * a hash instead.
 */

/**
 * For each table with different columns in the PostgreSQL store and in the SQLite store, a function that returns the
 * table with the columns of the PostgreSQL store.
 */
const ownTables: Readonly<Record<string, (table: TransferTable) => TransferTable>> = {
  activity: (table) => ({
    ...table,
    columns: [...table.columns, { name: "long_claim", type: "text" }],
  }),
}

/** Returns a table with its columns in the PostgreSQL store. */
export const ownTable = (table: TransferTable): TransferTable => ownTables[table.name]?.(table) ?? table

/** Converts a row of the PostgreSQL store to the form in which other stores save it. */
export const toTransferRow = (table: TransferTable, row: ReadonlyArray<unknown>): TransferRow =>
  row.slice(0, table.columns.length).map(valueOf)

const valueOf = (value: unknown): Value => {
  if (typeof value === "string" || typeof value === "number" || value === null) return value
  throw new TypeError("a column of the database must hold a text, a number or null")
}

const claimPlace = 9

/** Converts a row of another store to the form in which the PostgreSQL store saves it. */
export const toOwnRow = (table: TransferTable, row: TransferRow): TransferRow => {
  switch (table.name) {
    case "activity": {
      const claim = textOrNull(row[claimPlace] ?? null)
      const indexed = claim === null ? null : shortened(claim)
      return [...row.with(claimPlace, indexed), indexed === claim ? null : claim]
    }
    case "identifiers":
      return row.with(0, shortened(text(row[0])))
    default:
      return row
  }
}

/**
 * Returns whether a stored lookup text was shortened. The whole text is then only in the document of the person, object
 * or other subject that has the text.
 */
export const isShortened = (stored: string): boolean => stored.includes("\uFFFF#")

/**
 * Returns the text among `texts` that was shortened to `stored`. The returned text is escaped, because the other stores
 * save escaped texts.
 */
export const wholeText = (texts: ReadonlyArray<string>, stored: string): string => {
  const found = texts.map(toStored).find((candidate) => shortened(candidate) === stored)
  if (found === undefined) throw new Error(`no lookup text has the indexed form ${fromStored(stored)}`)
  return found
}
