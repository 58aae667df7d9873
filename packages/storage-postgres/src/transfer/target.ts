import { Digest } from "@inlethq/core/ports/Digest"
import { integer, integerOrNull, textOrNull } from "@inlethq/storage/columns/columns"
import {
  planRow,
  progressRow,
  unfinishedFrom,
  type ProgressRow,
} from "@inlethq/storage/transfer/copyProgress"
import { makeErasureLedger } from "@inlethq/storage/tables/erasureLedger"
import { eraseCopied } from "@inlethq/storage/transfer/newerErasures"
import type { TargetState, TransferTarget } from "@inlethq/storage/transfer/Transfer"
import { transferTables, type TransferRow } from "@inlethq/storage/columns/transferTables"
import { Context, Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import { installation, type Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts, type Parameter } from "../engine/parameters.ts"
import { erasureProgress } from "../housekeeping/erasureProgress.ts"
import { Leases, releaseAtEnd } from "../nodes/Leases.ts"
import { services } from "../PostgresStore.ts"
import { copyTable, hasCopyTable } from "../tables/copyTable.ts"
import { ownTable, toOwnRow } from "./rowCodecs.ts"
import { saveLastDeleted } from "../tables/deletedWorkspaces.ts"
import { makeTables } from "../tables/tables.ts"
import { statementsOf, type TableStatements } from "./tableStatements.ts"

/** Writes copied data into a database. */
export const transferTarget = (database: Database["Service"]): TransferTarget => {
  const statements = new Map(transferTables.map((table) => [table.name, statementsOf(ownTable(table))]))
  return {
    state: database.read("read the state of the copy", readState),
    begin: (plan) =>
      database.write("begin the copy", installation, (connection) =>
        Effect.gen(function* () {
          yield* connection.execute(`CREATE TABLE ${copyTable} (name TEXT PRIMARY KEY, value TEXT NOT NULL)`)
          yield* save(connection, planRow(plan))
          if (!plan.isAdded) yield* saveLastDeleted(connection, plan.lastDeleted)
        }),
      ),
    write: (table, workspace, rows, copied) =>
      database.write(`write ${table.name}`, workspace, (connection) =>
        Effect.gen(function* () {
          const own = statements.get(table.name)
          if (own !== undefined && rows.length > 0) {
            const written = rows.map((row) => toOwnRow(table, row))
            yield* connection.execute(own.write, [workspace, ...columnsOf(own, written)])
          }
          yield* save(connection, progressRow(workspace, table.name, copied))
        }),
      ),
    derive: () => Effect.succeed(false),
    erasures: makeErasureLedger(makeTables(database), erasureProgress(database)).read,
    eraseAgain: (workspace, records, digest) =>
      Effect.gen(function* () {
        const opened = yield* services(database, digest)
        yield* releaseAtEnd(Context.get(opened, Leases))
        return yield* Effect.provide(eraseCopied(workspace, records), opened)
      }).pipe(Effect.scoped, Effect.provideService(Digest, digest)),
    finish: database.write("finish the copy", installation, (connection) =>
      Effect.asVoid(connection.execute(`DROP TABLE ${copyTable}`)),
    ),
  }
}

const save = (connection: Connection, { name, value }: ProgressRow): Effect.Effect<void, DatabaseError> =>
  Effect.asVoid(
    connection.execute(
      `INSERT INTO ${copyTable} (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [name, value],
    ),
  )

const columnsOf = (
  { writtenColumns }: TableStatements,
  rows: ReadonlyArray<TransferRow>,
): ReadonlyArray<Parameter> =>
  writtenColumns.map(([{ type }, place]) =>
    type === "text"
      ? texts(rows.map((row) => textOrNull(row[place])))
      : int8s(rows.map((row) => integerOrNull(row[place]))),
  )

/** The ids of all workspaces that are set up or have data, including deleted ones that are not erased yet. */
const occupiedSql = "SELECT id FROM workspaces UNION SELECT workspace FROM heads ORDER BY 1"

const readState = (connection: Connection): Effect.Effect<TargetState, DatabaseError> =>
  Effect.gen(function* () {
    if (!(yield* hasCopyTable(connection))) {
      const found = yield* connection.query(occupiedSql)
      const workspaces = found.map((row) => integer(row["id"]))
      return workspaces.length === 0 ? { _tag: "Empty" } : { _tag: "Occupied", workspaces }
    }
    return unfinishedFrom(yield* connection.query(`SELECT name, value FROM ${copyTable}`))
  })
