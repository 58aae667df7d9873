import { integer, text, type Row } from "@inlet/storage/columns"
import {
  CopiedTable,
  CopyPlan,
  progressName,
  type TargetState,
  type TransferTarget,
} from "@inlet/storage/transfer/Transfer"
import { transferTables, type TransferTable } from "@inlet/storage/transfer/transferTables"
import { Schema } from "effect"
import type { Statement } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import { runOf } from "../log/runs.ts"
import { indexNextRun } from "../log/timeline.ts"
import { readWorkspaces } from "./source.ts"
import { copyTable, createCopyTable, dropCopyTable, hasCopyTable } from "./copyTable.ts"
import { tableWriter, type WriteRow } from "./tableStatements.ts"

const planName = "plan"

const Plan = Schema.fromJsonString(CopyPlan)
const Progress = Schema.fromJsonString(CopiedTable)
const decodePlan = Schema.decodeUnknownSync(Plan)
const encodePlan = Schema.encodeSync(Plan)
const decodeProgress = Schema.decodeUnknownSync(Progress)
const encodeProgress = Schema.encodeSync(Progress)

/** Writes a copy into a database in a directory that this process has locked. */
export const transferTarget = (database: Database): TransferTarget => {
  const { durability } = database
  const writers = new Map(transferTables.map((table) => [table.name, writerOf(database, table)]))
  const indexNext = indexNextRun(database)
  // The statement `saving` can be prepared only after the table was created.
  let saving: Statement | undefined
  const save = (name: string, value: string): void => {
    saving ??= database.prepare(`INSERT OR REPLACE INTO ${copyTable} (name, value) VALUES (?, ?)`)
    saving.run(name, value)
  }
  return {
    state: durability.attempt("read the state of the copy", () => database.read(() => stateOf(database))),
    begin: (plan) =>
      durability.write("begin the copy", () =>
        database.write(() => {
          createCopyTable(database)
          save(planName, encodePlan(plan))
        }),
      ),
    write: (table, workspace, rows, copied) =>
      durability.inTurn(
        durability.attempt(`write ${table.name}`, () =>
          database.writeUnsynced(() => {
            const write = writers.get(table.name)
            for (const row of rows) write?.(workspace, row)
            save(progressName(workspace, table.name), encodeProgress(copied))
          }),
        ),
      ),
    derive: (workspace) =>
      durability.inTurn(
        durability.attempt("index the log", () => database.writeUnsynced(() => indexNext(workspace))),
      ),
    finish: durability.write("finish the copy", () => database.write(() => dropCopyTable(database))),
  }
}

const stateOf = (database: Database): TargetState => {
  if (!hasCopyTable(database)) {
    const workspaces = readWorkspaces(database)()
    return workspaces.length === 0 ? { _tag: "Empty" } : { _tag: "Occupied", workspaces }
  }
  const rows: ReadonlyArray<Row> = database.prepare(`SELECT name, value FROM ${copyTable}`).all()
  const values = new Map(rows.map((row) => [text(row["name"]), text(row["value"])]))
  const plan = decodePlan(values.get(planName))
  values.delete(planName)
  return {
    _tag: "Unfinished",
    plan,
    progress: new Map([...values].map(([name, value]) => [name, decodeProgress(value)])),
  }
}

/**
 * The effects of entries on single people (parts) are written to the timeline (the index by subject) at once. Whole
 * entries are added when the target indexes their run (4096 consecutive entries).
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
