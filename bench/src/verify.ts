import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import { kindCodes, outcomeCodes } from "@inlethq/storage/columns/codes"

/** The result of comparing the events in a store with the acknowledged events. */
export interface Verified {
  readonly acknowledged: number
  readonly stored: number
  readonly distinct: number
  readonly exactlyOnce: boolean
}

/**
 * Opens the database of a killed server. Counts its events and their distinct ids. Does not count the log entry of a
 * duplicate, which is an event that a client sent again after the server had stored it.
 */
export const verify = (dataDirectory: string, acknowledged: number): Verified => {
  const database = new DatabaseSync(join(dataDirectory, "inlet.db"))
  try {
    const row = database
      .prepare(
        "SELECT count(*) AS stored, count(DISTINCT claim) AS different FROM activity WHERE kind = ? AND outcome <> ?",
      )
      .get(kindCodes.event, outcomeCodes.duplicate)
    const stored = Number(row?.["stored"])
    const distinct = Number(row?.["different"])
    return {
      acknowledged,
      stored,
      distinct,
      exactlyOnce: stored === acknowledged && distinct === acknowledged,
    }
  } finally {
    database.close()
  }
}
