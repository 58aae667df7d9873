import type { Statements, Tables } from "@inlet/storage/tables/Tables"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { isDeleted } from "./deletedWorkspaces.ts"

/** Makes the access to the tables beside people and their log. */
export const makeTables = (database: Database["Service"]): Tables => {
  const write: Tables["write"] = (operation, owner, body) =>
    database.write(operation, owner, (connection) => body(statementsOn(connection)))
  return {
    read: (operation, sql, ...values) => database.query(operation, sql, values),
    write,
    writeUnsynced: write,
  }
}

const statementsOn = (connection: Connection): Statements<DatabaseError> => ({
  rows: (sql, ...values) => connection.query(sql, values),
  run: (sql, ...values) => connection.execute(sql, values),
  runEach: (sql, rows) =>
    Effect.forEach(rows, (values) => connection.execute(sql, values), {
      concurrency: "unbounded",
      discard: true,
    }),
  isDeleted: (workspace) => isDeleted(connection, workspace),
  skipLocked: "FOR UPDATE SKIP LOCKED",
})
