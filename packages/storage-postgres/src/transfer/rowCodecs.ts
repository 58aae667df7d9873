import { integer, integerOrNull, text, textOrNull } from "@inlet/storage/columns"
import { fromStored, toStored } from "@inlet/storage/storedText"
import { workspaceId } from "@inlet/storage/ids"
import type { RowOwner, TransferRow, TransferTable, Value } from "@inlet/storage/transfer/transferTables"
import { shortened } from "../tables/indexedText.ts"
import { keyFromRow, keyText } from "../tables/keys.ts"

/*
 * Codecs for the tables that the PostgreSQL store saves in another form than the SQLite store. The PostgreSQL store
 * saves API keys as JSON documents. If a deduplication key or a lookup text (such as `email:ada@example.com`) is too
 * long for an index, the PostgreSQL store indexes its beginning and a hash instead.
 */

/**
 * For each table with different columns in the PostgreSQL store and in the SQLite store, a function that returns the
 * table with the columns of the PostgreSQL store.
 */
const ownTables: Readonly<Record<string, (table: TransferTable) => TransferTable>> = {
  keys: (table) => ({
    ...table,
    columns: [
      { name: "number", type: "integer" },
      { name: "id", type: "text" },
      { name: "kind", type: "text" },
      { name: "site_id", type: "text" },
      { name: "digest", type: "text" },
      { name: "doc", type: "text" },
      { name: "last_used", type: "integer" },
    ],
  }),
  activity: (table) => ({
    ...table,
    columns: [...table.columns, { name: "long_claim", type: "text" }],
  }),
}

/** Returns a table with its columns in the PostgreSQL store. */
export const ownTable = (table: TransferTable): TransferTable => ownTables[table.name]?.(table) ?? table

/** Converts a row of the PostgreSQL store to the form in which other stores save it. */
export const toTransferRow = (table: TransferTable, row: ReadonlyArray<unknown>): TransferRow => {
  if (table.name === "keys") {
    const { createdAt, digest, expiresAt, keyId, kind, lastUsedAt, name, prefix, siteId } = keyFromRow({
      key: row[5],
      last_used: row[6],
    })
    const number = integer(row[0])
    return [number, keyId, kind, name, siteId, digest, createdAt, prefix, lastUsedAt, expiresAt]
  }
  return row.slice(0, table.columns.length).map(valueOf)
}

const valueOf = (value: unknown): Value => {
  if (typeof value === "string" || typeof value === "number" || value === null) return value
  throw new TypeError("a column of the database must hold a text, a number or null")
}

const claimPlace = 9

/** Converts a row of another store to the form in which the PostgreSQL store saves it. */
export const toOwnRow = (table: TransferTable, workspace: RowOwner, row: TransferRow): TransferRow => {
  switch (table.name) {
    case "keys": {
      const [number = null, id, kind, name, siteId, digest, createdAt, prefix, lastUsed, expires] = row
      const lastUsedAt = integerOrNull(lastUsed)
      const key = keyText({
        workspace: workspaceId(workspace),
        keyId: text(id),
        kind: kind === "track" ? "track" : "pipelines",
        name: text(name),
        siteId: textOrNull(siteId),
        digest: text(digest),
        createdAt: integer(createdAt),
        prefix: textOrNull(prefix),
        lastUsedAt,
        expiresAt: integerOrNull(expires),
      })
      const storedSiteId = textOrNull(siteId)
      return [
        number,
        toStored(text(id)),
        text(kind),
        storedSiteId === null ? null : toStored(storedSiteId),
        text(digest),
        key,
        lastUsedAt,
      ]
    }
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
