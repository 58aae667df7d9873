import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, text } from "@inlethq/storage/columns/columns"
import { ownerOf, workspaceId } from "@inlethq/storage/columns/ids"
import { subjectFromRow } from "@inlethq/storage/rows/subjectRows"
import { indexedTextsOf } from "@inlethq/storage/transfer/indexedTexts"
import type { TransferSource } from "@inlethq/storage/transfer/Transfer"
import {
  transferLengthMax,
  transferRowsMax,
  type RowOwner,
  type TransferCursor,
  type TransferRow,
  type TransferTable,
} from "@inlethq/storage/columns/transferTables"
import { Effect, Semaphore } from "effect"
import { withAttempts } from "../engine/attempts.ts"
import { nodeWaitLimits } from "../engine/bounds.ts"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s } from "../engine/parameters.ts"
import { subjectColumns } from "../read/subjects.ts"
import { lastDeletedSql } from "../tables/deletedWorkspaces.ts"
import { isShortened, ownTable, toTransferRow, wholeText } from "./rowCodecs.ts"
import { statementsOf } from "./tableStatements.ts"

/** A lost connection is not replaced, because its snapshot is lost too. */
const limits = { ...nodeWaitLimits, attemptsMax: 1 }

/** Reads the data of a database from one snapshot, on a connection that nothing else uses. */
export const transferSource = (connection: Connection): TransferSource => {
  const turn = Semaphore.makeUnsafe(1)
  const use = <A>(operation: string, work: Effect.Effect<A, DatabaseError>) =>
    withAttempts(operation, limits, () => Semaphore.withPermit(turn, work))
  return {
    lastDeleted: use(
      "read the last deleted workspace",
      Effect.map(connection.query(`SELECT ${lastDeletedSql} AS id`), ([row]) => integer(row?.["id"])),
    ),
    workspaces: use("read workspaces", readWorkspaces(connection)),
    owners: ({ name }) => use(`read the owners of ${name}`, readOwners(connection, name)),
    read: (table, workspace, after) =>
      use(`read ${table.name}`, readPage(connection, table, workspace, after)),
  }
}

const workspacesSql =
  "SELECT id FROM workspaces UNION SELECT workspace FROM heads WHERE deleted_at IS NULL ORDER BY 1"

/** Reads the ids of all workspaces that are set up or have data, except deleted ones. */
const readWorkspaces = (connection: Connection): Effect.Effect<ReadonlyArray<WorkspaceId>, DatabaseError> =>
  Effect.map(connection.query(workspacesSql), (rows) => rows.map((row) => workspaceId(integer(row["id"]))))

const readOwners = (
  connection: Connection,
  table: string,
): Effect.Effect<ReadonlyArray<RowOwner>, DatabaseError> =>
  Effect.map(connection.query(`SELECT DISTINCT workspace FROM ${table} ORDER BY 1`), (rows) =>
    rows.map((row) => ownerOf(integer(row["workspace"]))),
  )

const readPage = (connection: Connection, table: TransferTable, workspace: RowOwner, after: TransferCursor) =>
  Effect.gen(function* () {
    const own = ownTable(table)
    const bounds = table.keyColumns === 0 ? [] : [transferRowsMax, transferLengthMax, ...after]
    const found = yield* connection.queryByIndex(statementsOf(own).read, [workspace, ...bounds])
    const last = found.at(-1) ?? []
    const cursor = last
      .slice(0, table.keyColumns)
      .map((value, place) => (table.columns[place]?.type === "text" ? text(value) : integer(value)))
    const rows = found.map((row) => toTransferRow(table, row))
    return {
      cursor,
      rows: table.name === "identifiers" ? yield* wholeTexts(connection, workspace, rows) : rows,
    }
  })

const subjectsSql = `SELECT ${subjectColumns} FROM subjects AS found WHERE workspace = $1 AND key = ANY ($2::bigint[])`

/**
 * Replaces each shortened lookup text by the whole text. The whole text is in the document of the person, object or
 * other subject that the lookup text resolves to.
 */
const wholeTexts = (connection: Connection, workspace: RowOwner, rows: ReadonlyArray<TransferRow>) =>
  Effect.gen(function* () {
    const keys = rows.flatMap(([stored, key]) => (isShortened(text(stored)) ? [integer(key)] : []))
    if (keys.length === 0) return rows
    const found = yield* connection.query(subjectsSql, [workspace, int8s(keys)])
    const texts = new Map(found.map((row) => [integer(row["key"]), indexedTextsOf(subjectFromRow(row))]))
    return rows.map((row): TransferRow => {
      const stored = text(row[0])
      return isShortened(stored) ? row.with(0, wholeText(texts.get(integer(row[1])) ?? [], stored)) : row
    })
  })
