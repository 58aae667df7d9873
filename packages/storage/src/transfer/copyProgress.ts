import { Schema } from "effect"
import { text, type Row } from "../columns/columns.ts"
import { CopiedTable, CopyPlan, type TargetState } from "./Transfer.ts"
import type { RowOwner, TransferTableName } from "../columns/transferTables.ts"

/*
 * The table in which the target store records the progress of an unfinished copy. One row has the plan of the copy, and
 * each other row has the progress of one table of one workspace.
 */

/** A row of the table `copy_progress`: its name, which is unique, and its value as JSON. */
export interface ProgressRow {
  readonly name: string
  readonly value: string
}

const planName = "plan"

const Plan = Schema.fromJsonString(CopyPlan)
const Progress = Schema.fromJsonString(CopiedTable)
const decodePlan = Schema.decodeUnknownSync(Plan)
const encodePlan = Schema.encodeSync(Plan)
const decodeProgress = Schema.decodeUnknownSync(Progress)
const encodeProgress = Schema.encodeSync(Progress)

/** Returns the name of the row that records the progress of copying one table of a workspace. */
export const progressName = (workspace: RowOwner, table: TransferTableName): string => `${workspace}:${table}`

/** Returns the row of the table that holds the plan of a copy. */
export const planRow = (plan: CopyPlan): ProgressRow => ({ name: planName, value: encodePlan(plan) })

/** Returns the row with the progress of one table of a workspace. */
export const progressRow = (
  workspace: RowOwner,
  table: TransferTableName,
  copied: CopiedTable,
): ProgressRow => ({ name: progressName(workspace, table), value: encodeProgress(copied) })

/** Returns the progress of an unfinished copy. `rows` are all rows of the table `copy_progress`. */
export const unfinishedFrom = (rows: ReadonlyArray<Row>): TargetState => {
  const values = new Map(rows.map((row) => [text(row["name"]), text(row["value"])]))
  const plan = decodePlan(values.get(planName))
  values.delete(planName)
  const progress = new Map([...values].map(([name, value]) => [name, decodeProgress(value)]))
  return { _tag: "Unfinished", plan, progress }
}
