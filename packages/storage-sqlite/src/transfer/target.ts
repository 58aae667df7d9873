import { Digest } from "@inlethq/core/ports/Digest"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, type Row } from "@inlethq/storage/columns/columns"
import { workspaceId } from "@inlethq/storage/columns/ids"
import {
  planRow,
  progressRow,
  unfinishedFrom,
  type ProgressRow,
} from "@inlethq/storage/transfer/copyProgress"
import { makeErasureLedger } from "@inlethq/storage/tables/erasureLedger"
import { eraseCopied } from "@inlethq/storage/transfer/newerErasures"
import type { TargetState, TransferTarget } from "@inlethq/storage/transfer/Transfer"
import { transferTables, type TransferTable } from "@inlethq/storage/columns/transferTables"
import { Effect } from "effect"
import type { Statement } from "../engine/Connection.ts"
import { lastWorkspace, raiseCounter } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { runOf } from "../log/runs.ts"
import { indexNextRun } from "../log/timeline.ts"
import { copyTable, createCopyTable, dropCopyTable, hasCopyTable } from "../engine/copyTable.ts"
import { makeTables } from "../engine/tables.ts"
import { erasureProgress } from "../housekeeping/erasureProgress.ts"
import { services } from "../SqliteStore.ts"
import { tableWriter, type WriteRow } from "./tableStatements.ts"

/** Writes copied data into a database in a directory that this process has locked. */
export const transferTarget = (database: Database): TransferTarget => {
  const { durability } = database
  const writers = new Map(transferTables.map((table) => [table.name, writerOf(database, table)]))
  const indexNext = indexNextRun(database)
  const raise = raiseCounter(database)
  // The statement `saving` can be prepared only after the table was created.
  let saving: Statement | undefined
  const save = ({ name, value }: ProgressRow): void => {
    saving ??= database.prepare(`INSERT OR REPLACE INTO ${copyTable} (name, value) VALUES (?, ?)`)
    saving.run(name, value)
  }
  return {
    state: durability.attempt("read the state of the copy", () => database.read(() => stateOf(database))),
    begin: (plan) =>
      durability.write("begin the copy", () =>
        database.write(() => {
          createCopyTable(database)
          save(planRow(plan))
          if (!plan.isAdded) raise(lastWorkspace, plan.lastDeleted)
        }),
      ),
    write: (table, workspace, rows, copied) =>
      durability.inTurn(
        durability.attempt(`write ${table.name}`, () =>
          database.writeUnsynced(() => {
            const write = writers.get(table.name)
            for (const row of rows) write?.(workspace, row)
            save(progressRow(workspace, table.name, copied))
          }),
        ),
      ),
    derive: (workspace) =>
      durability.inTurn(
        durability.attempt("index the log", () => database.writeUnsynced(() => indexNext(workspace))),
      ),
    erasures: makeErasureLedger(makeTables(database), erasureProgress(database, "scrubbed files")).read,
    eraseAgain: (workspace, records, digest) =>
      services(database).pipe(
        Effect.flatMap((opened) => Effect.provide(eraseCopied(workspace, records), opened)),
        Effect.provideService(Digest, digest),
      ),
    finish: durability.write("finish the copy", () => database.write(() => dropCopyTable(database))),
  }
}

const stateOf = (database: Database): TargetState => {
  if (!hasCopyTable(database)) {
    const workspaces = readOccupied(database)
    return workspaces.length === 0 ? { _tag: "Empty" } : { _tag: "Occupied", workspaces }
  }
  const rows: ReadonlyArray<Row> = database.prepare(`SELECT name, value FROM ${copyTable}`).all()
  return unfinishedFrom(rows)
}

/** Returns the ids of all workspaces that are set up or have data, including deleted ones that are not erased yet. */
const readOccupied = (database: Database): ReadonlyArray<WorkspaceId> =>
  database
    .prepareByPlace("SELECT id FROM workspaces UNION SELECT workspace FROM heads ORDER BY 1")
    .all()
    .map((row) => workspaceId(integer(row[0])))

/**
 * Returns a function that writes rows of a table. It adds a part of an entry to the timeline, too. The entry itself follows
 * later, when the run that contains it is indexed.
 */
const writerOf = (database: Database, table: TransferTable): WriteRow => {
  const write = tableWriter(database, table)
  if (table.name !== "entry_parts") return write
  const addToTimeline = database.prepare(
    "INSERT OR IGNORE INTO timeline (workspace, run, subject, sequence) VALUES (?, ?, ?, ?)",
  )
  return (workspace, row) => {
    write(workspace, row)
    const [sequence, subject] = row
    addToTimeline.run(workspace, runOf(integer(sequence)), integer(subject), integer(sequence))
  }
}
