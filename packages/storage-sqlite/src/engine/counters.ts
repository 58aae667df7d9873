import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { integer, text } from "@inlet/storage/columns"
import { sequenceOf, subjectKey, workspaceId } from "@inlet/storage/ids"
import type { Database } from "./Database.ts"

/** Counters of the whole database. They never decrease, even when rows are deleted. */
export interface Counters {
  readonly nextKey: SubjectKey
  readonly nextSequence: Sequence
  /** The log position up to which pruning has checked entries. */
  readonly prunedTo: number
  /** The number of housekeeping steps that erased data. */
  readonly erasures: number
  /** The value that `erasures` had when the last complete scrub began. */
  readonly scrubbed: number
  /** The number of runs (4096 consecutive log positions each) that are indexed by subject, in the timeline. */
  readonly timelineRuns: number
  /** The number of runs that are also indexed by kind, outcome and name (their facets). */
  readonly indexedRuns: number
}

/** Counters with the latest time of receipt in each requested workspace. */
interface LoadedCounters extends Counters {
  readonly latestReceipts: Map<WorkspaceId, EpochMillis>
}

/** The value of the column `workspace` for counters of the whole database. */
const allWorkspaces = 0

const latestReceiptName = "latestReceipt"

/** Reads the counters of the whole database and of some workspaces in one statement. */
export const readCounters = (
  database: Database,
): ((workspaces?: ReadonlySet<WorkspaceId>) => LoadedCounters) => {
  const statement = database.prepareByPlace(
    "SELECT found.workspace AS workspace, found.name AS name, found.value AS value FROM json_each(?) AS wanted CROSS JOIN counters AS found ON found.workspace = wanted.value",
  )
  return (workspaces = noWorkspaces) => {
    const values = new Map<string, number>()
    const latestReceipts = new Map<WorkspaceId, EpochMillis>()
    for (const row of statement.all(JSON.stringify([allWorkspaces, ...workspaces]))) {
      const workspace = integer(row[0])
      const value = integer(row[2])
      if (workspace === allWorkspaces) values.set(text(row[1]), value)
      else if (row[1] === latestReceiptName) latestReceipts.set(workspaceId(workspace), value)
    }
    return {
      nextKey: subjectKey(values.get("nextKey") ?? 1),
      nextSequence: sequenceOf(values.get("nextSequence") ?? 1),
      prunedTo: values.get("prunedTo") ?? 0,
      erasures: values.get("erasures") ?? 0,
      scrubbed: values.get("scrubbed") ?? 0,
      timelineRuns: values.get("timelineRuns") ?? 0,
      indexedRuns: values.get("indexedRuns") ?? 0,
      latestReceipts,
    }
  }
}

const noWorkspaces: ReadonlySet<WorkspaceId> = new Set()

const raise =
  "INSERT INTO counters (workspace, name, value) VALUES (?, ?, ?) ON CONFLICT (workspace, name) DO UPDATE SET value = max(value, excluded.value)"

/** Raises a counter of the whole database to at least a value. */
export const raiseCounter = (database: Database): ((name: keyof Counters, to: number) => void) => {
  const statement = database.prepare(raise)
  return (name, to) => void statement.run(allWorkspaces, name, to)
}

/** Raises the latest time of receipt in a workspace to at least a value. */
export const raiseLatestReceipt = (
  database: Database,
): ((workspace: WorkspaceId, to: EpochMillis) => void) => {
  const statement = database.prepare(raise)
  return (workspace, to) => void statement.run(workspace, latestReceiptName, to)
}
