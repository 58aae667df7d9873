import { erasingMax } from "@inlethq/core/ports/ErasureLedger"
import { stateCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import { subjectKey } from "@inlethq/storage/columns/ids"
import type { ErasureProgress } from "@inlethq/storage/tables/erasureLedger"
import { Effect } from "effect"
import type { Database } from "../engine/Database.ts"

const erasingSql = `
  SELECT key FROM subjects WHERE workspace = $1 AND state IN (${stateCodes.erased}, ${stateCodes.stillNamed})
  LIMIT ${erasingMax}`

/** Reads what housekeeping has left to erase. PostgreSQL does not overwrite the bytes of deleted rows. */
export const erasureProgress = (database: Database["Service"]): ErasureProgress => ({
  medium: "postgresql",
  erasing: (workspace) =>
    Effect.map(database.query("read the erasure ledger", erasingSql, [workspace]), (rows) =>
      rows.map((row) => subjectKey(integer(row["key"]))),
    ),
  isOverwritten: Effect.succeed(false),
  overwriting: Effect.succeed(null),
})
