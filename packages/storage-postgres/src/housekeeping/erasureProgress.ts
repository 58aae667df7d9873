import { erasingMax } from "@inlethq/core/ports/ErasureLedger"
import { stateCodes } from "@inlethq/storage/columns/codes"
import { integer } from "@inlethq/storage/columns/columns"
import { subjectKey } from "@inlethq/storage/columns/ids"
import {
  unsealedOneSql,
  unsealedPlacesSql,
  unsealedSql,
  type ErasureProgress,
  type ReadUnsealed,
} from "@inlethq/storage/tables/erasureLedger"
import { Effect } from "effect"
import type { Database } from "../engine/Database.ts"

const erasingSql = `
  SELECT key FROM subjects WHERE workspace = $1 AND state IN (${stateCodes.erased}, ${stateCodes.stillNamed})
  LIMIT ${erasingMax}`

/** Reads receipts that are not sealed: where tables are distributed, each in a statement that reads its workspace only. */
export const readUnsealed =
  (database: Database["Service"]): ReadUnsealed =>
  (at, workspace, position) =>
    database.read("read the erasure ledger", (connection) =>
      Effect.gen(function* () {
        const before = [at, workspace, position]
        if (connection.rowForm === "placed") return yield* connection.query(unsealedSql, before)
        const places = yield* connection.query(unsealedPlacesSql, before)
        const found = yield* Effect.forEach(
          places,
          (row) =>
            connection.query(
              unsealedOneSql,
              ["workspace", "at", "position"].map((name) => integer(row[name])),
            ),
          { concurrency: "unbounded" },
        )
        return found.flat()
      }),
    )

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
