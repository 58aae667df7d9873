import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import { erasureFromRow } from "@inlethq/storage/rows/erasureRows"

/**
 * Reads the erasure ledger in a data directory, which a server may use meanwhile. It is empty if the data are older than
 * the ledger. Throws if the database cannot be read.
 */
export const readErasures = (directory: string): ReadonlyArray<ErasureRecord> => {
  const database = new DatabaseSync(join(directory, "inlet.db"), { readOnly: true })
  try {
    const known = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'erasures'").get()
    if (known === undefined) return []
    return database.prepare("SELECT workspace, at, position, doc FROM erasures").all().map(erasureFromRow)
  } finally {
    database.close()
  }
}
