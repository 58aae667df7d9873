import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of errors of commands that work on the database in INLET_STORE. */
export const databaseTexts = {
  migrateNeedsPostgres: errorText(
    "INLET_STORE is not a postgres:// URL: only PostgreSQL databases are migrated by hand",
    "Set `INLET_STORE` as for the servers. The embedded store has one server, which migrates it at its start.",
  ),
  storeNotSet: errorText(
    "INLET_STORE is not set, so there is no database to work on",
    "Set it to the URL of the database, as for the servers.",
  ),
  distributeNeedsPostgres: errorText(
    "INLET_STORE is not a postgres:// URL: only tables of PostgreSQL with Citus are distributed",
    "Set `INLET_STORE` to the database on the coordinator of Citus.",
  ),
  wrongStoreUrl: errorText(
    "INLET_STORE is not a valid PostgreSQL URL: {problem}",
    "Correct the variable, as [postgresql.md](postgresql.md#the-url) describes it.",
  ),
}
