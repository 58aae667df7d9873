import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { integer, text } from "@inlet/storage/columns"
import type { Database } from "./Database.ts"
import { sequenceOf } from "@inlet/storage/entryRows"
import { subjectKey, workspaceId } from "@inlet/storage/subjectRows"

/** Numbers about everything, which only grow, whatever is deleted. */
export interface Counters {
  readonly nextKey: SubjectKey
  readonly nextSequence: Sequence
  /** The newest entry that pruning has looked at. */
  readonly prunedTo: number
  /** Steps that erased something, and how many of them the last scrubbing of the whole file came after. */
  readonly erasures: number
  readonly scrubbed: number
  /** Runs of the log that are in the timeline, and those whose facets are indexed, too. */
  readonly timelineRuns: number
  readonly indexedRuns: number
}

/** The counters, with the latest time of receipt in each workspace that was asked for. */
interface LoadedCounters extends Counters {
  readonly latestReceipts: Map<WorkspaceId, EpochMillis>
}

/** Stands in the place of a workspace for numbers about everything. */
const everything = 0

const latestReceiptName = "latestReceipt"

/** Reads the counters, and those of some workspaces, in one statement. */
export const readCounters = (
  database: Database,
): ((workspaces?: ReadonlySet<WorkspaceId>) => LoadedCounters) => {
  const statement = database.prepareByPlace(
    "SELECT found.workspace AS workspace, found.name AS name, found.value AS value FROM json_each(?) AS wanted CROSS JOIN counters AS found ON found.workspace = wanted.value",
  )
  return (workspaces = noWorkspaces) => {
    const values = new Map<string, number>()
    const latestReceipts = new Map<WorkspaceId, EpochMillis>()
    for (const row of statement.all(JSON.stringify([everything, ...workspaces]))) {
      const workspace = integer(row[0])
      const value = integer(row[2])
      if (workspace === everything) values.set(text(row[1]), value)
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

export const raiseCounter = (database: Database): ((name: keyof Counters, to: number) => void) => {
  const statement = database.prepare(raise)
  return (name, to) => void statement.run(everything, name, to)
}

/** Raises the latest time of receipt in a workspace. */
export const raiseLatestReceipt = (
  database: Database,
): ((workspace: WorkspaceId, to: EpochMillis) => void) => {
  const statement = database.prepare(raise)
  return (workspace, to) => void statement.run(workspace, latestReceiptName, to)
}
