import type { DatabaseSync } from "node:sqlite"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect } from "effect"
import { attempt } from "../engine/sqliteErrors.ts"
import { released, type Migration } from "./released.ts"
import { integer } from "@inlethq/storage/columns/columns"
import { DataTooNew, DataTooOld } from "../engine/openErrors.ts"

/** Brings a database to the newest format. Each missing migration runs in its own transaction. */
export const migrate = (
  connection: DatabaseSync,
  directory: string,
  migrations: ReadonlyArray<Migration> = released,
): Effect.Effect<void, DataTooNew | DataTooOld | StoreUnavailable> =>
  Effect.gen(function* () {
    const found = yield* attempt("read the format of the data", () => formatOf(connection))
    const first = migrations[0]?.id ?? 0
    const known = migrations.at(-1)?.id ?? 0
    if (found > known) return yield* new DataTooNew({ directory, found, known })
    if (found > 0 && found < first) return yield* new DataTooOld({ directory, found })
    for (const migration of migrations) {
      if (migration.id <= found) continue
      yield* attempt(`bring the data to format ${migration.id}`, () => apply(connection, migration))
    }
  })

const formatOf = (connection: DatabaseSync): number => {
  connection.exec("CREATE TABLE IF NOT EXISTS migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT")
  return integer(connection.prepare("SELECT coalesce(max(id), 0) AS id FROM migrations").get()?.["id"])
}

const apply = (connection: DatabaseSync, { id, name, sql }: Migration): void => {
  connection.exec("BEGIN IMMEDIATE")
  try {
    connection.exec(sql)
    connection.prepare("INSERT INTO migrations (id, name) VALUES (?, ?)").run(id, name)
    connection.exec("COMMIT")
  } catch (cause) {
    if (connection.isTransaction) connection.exec("ROLLBACK")
    throw cause
  }
}
