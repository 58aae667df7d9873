import { Effect, Scope } from "effect"
import { citusStandIns } from "@inlethq/postgres-server/citusStandIns"
import type { ServerAddress } from "@inlethq/postgres-server/ServerAddress"
import type { Driver, Session } from "../src/engine/Connection.ts"
import { Database } from "../src/engine/Database.ts"
import { sqlPgDriver } from "../src/engine/sqlPgDriver.ts"
import { distribute } from "../src/migrations/distribute.ts"
import { migrate } from "../src/migrations/migrate.ts"
import { coordinatorTables, distributedTables, referenceTables } from "../src/tables/distributedTables.ts"
import { problemsOf } from "./distributedLint.ts"
import { besideOn, migratedDatabase, patientLimits, sessionTo, settingsOf } from "./server.ts"

/**
 * The database of a coordinator of Citus on which the tests run, if there is one. It must be for these tests alone, because
 * they empty its tables.
 */
export const citusUrl = process.env["INLET_TEST_CITUS"]

/** Creates a migrated database that looks as if it had Citus, and returns its URL. */
export const databaseWithStandIns = (server: ServerAddress) =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase(server)
    const session = yield* sessionTo(url)
    for (const sql of citusStandIns) yield* session.execute(sql)
    return url
  }).pipe(Effect.scoped)

/** Runs each statement only if nothing is wrong with it on distributed tables. */
const checking = (driver: Driver): Driver => ({
  connect: (host, settings) => Effect.map(driver.connect(host, settings), checkedSession),
})

const checked = <A extends ReadonlyArray<unknown>, B>(
  run: (sql: string, ...rest: A) => B,
): ((sql: string, ...rest: A) => B) => {
  return (sql, ...rest) => {
    const problems = problemsOf(sql)
    if (problems.length > 0) throw new Error(`${problems.join("; ")}: ${sql}`)
    return run(sql, ...rest)
  }
}

const checkedSession = (session: Session): Session => ({
  ...session,
  query: checked(session.query),
  queryByIndex: checked(session.queryByIndex),
  execute: checked(session.execute),
  executeWithNext: checked(session.executeWithNext),
})

/** Opens a database, and checks each statement. */
export const checkedDatabaseAt = (url: string): Effect.Effect<Database["Service"], never, Scope.Scope> =>
  Database.make(checking(sqlPgDriver(undefined)), settingsOf(url), patientLimits)

/** Migrates and distributes the database of a coordinator. */
export const distributedDatabase = (url: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const session = yield* sessionTo(url)
      yield* migrate(session, besideOn(url))
      return yield* distribute(session, yield* sessionTo(url))
    }),
  )

const ownTables = [...distributedTables, ...referenceTables, ...coordinatorTables].filter(
  (name) => name !== "migrations",
)

/** Deletes all rows of Inlet's tables. On a plain server, deleting a few rows is faster than truncating many tables. */
export const emptyDistributed = (database: Database["Service"]) => {
  const statements =
    citusUrl === undefined
      ? [`DO $$ BEGIN ${ownTables.map((name) => `DELETE FROM ${name};`).join(" ")} END $$`]
      : ownTables.map((name) => `TRUNCATE ${name}`)
  return Effect.forEach(statements, (sql) => Effect.orDie(database.query("delete all rows", sql)), {
    discard: true,
  })
}
