import { Sequence, SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { HeadRow } from "@inlethq/storage/rows/batchRows"
import { integer, integerOrNull } from "@inlethq/storage/columns/columns"
import { sequenceOf, subjectKey, workspaceId } from "@inlethq/storage/columns/ids"
import type { Database, ReadDatabase } from "./Database.ts"
import { isDeletedSql } from "./deletedWorkspaces.ts"
import { numberMax } from "./rowIds.ts"

/**
 * The counters of a workspace: the next key for a person, object or other subject, the next log position, the latest
 * receipt time, the number of records, and how far housekeeping has come in the log. Only the number of records can
 * decrease.
 */
export interface Head extends HeadRow {
  /** The log position up to which pruning has checked entries. */
  readonly prunedTo: number
  /** The number of runs that are in the timeline, the index of the log by person, object or other subject. */
  readonly timelineRuns: number
  /**
   * The number of runs that are indexed completely: by person, object or other subject, and by kind, outcome and name.
   */
  readonly indexedRuns: number
}

const emptyHead: Head = {
  nextKey: SubjectKey.make(1),
  nextSequence: Sequence.make(1),
  latestReceipt: null,
  records: 0,
  rulesVersion: 0,
  prunedTo: 0,
  timelineRuns: 0,
  indexedRuns: 0,
}

/** Reads the next free key and log position of a workspace, and how far housekeeping has come in its log. */
export const readHead = (database: ReadDatabase): ((workspace: WorkspaceId) => Head) => {
  const statement = database.prepareByPlace(
    "SELECT next_key, next_sequence, latest_receipt, records, pruned_to, timeline_runs, indexed_runs, rules_version FROM heads WHERE workspace = ?",
  )
  return (workspace) => {
    const row = statement.get(workspace)
    return row === undefined
      ? emptyHead
      : {
          nextKey: subjectKey(integer(row[0])),
          nextSequence: sequenceOf(integer(row[1])),
          latestReceipt: integerOrNull(row[2] ?? null),
          records: integer(row[3]),
          prunedTo: integer(row[4]),
          timelineRuns: integer(row[5]),
          indexedRuns: integer(row[6]),
          rulesVersion: integer(row[7]),
        }
  }
}

/**
 * Saves the next free key and log position of a workspace after a batch. Saves nothing and returns false if the
 * workspace was deleted. Throws if the batch used a key or a position above `numberMax`.
 */
export const saveHead = (database: Database): ((workspace: WorkspaceId, head: HeadRow) => boolean) => {
  const statement = database.prepare(`
    INSERT INTO heads (workspace, next_key, next_sequence, latest_receipt, records, rules_version)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT ${isDeletedSql("?1")}
    ON CONFLICT (workspace) DO UPDATE SET
      next_key = excluded.next_key, next_sequence = excluded.next_sequence, latest_receipt = excluded.latest_receipt,
      records = excluded.records, rules_version = excluded.rules_version`)
  return (workspace, { latestReceipt, nextKey, nextSequence, records, rulesVersion }) => {
    checkRoom(workspace, "subjects", nextKey)
    checkRoom(workspace, "log entries", nextSequence)
    const saved = statement.run(workspace, nextKey, nextSequence, latestReceipt, records, rulesVersion)
    return Number(saved.changes) > 0
  }
}

const checkRoom = (workspace: WorkspaceId, what: string, next: number): void => {
  if (next - 1 <= numberMax) return
  throw new RangeError(
    `workspace ${workspace} cannot have more than ${numberMax} ${what}; send the data to another workspace`,
  )
}

/** Saves how far housekeeping has come in the log of a workspace. */
export const saveProgress = (
  database: Database,
): ((
  workspace: WorkspaceId,
  progress: Partial<Pick<Head, "prunedTo" | "timelineRuns" | "indexedRuns">>,
) => void) => {
  const statement = database.prepare(`
    UPDATE heads SET pruned_to = coalesce(?, pruned_to), timeline_runs = coalesce(?, timeline_runs),
      indexed_runs = coalesce(?, indexed_runs)
    WHERE workspace = ?`)
  return (workspace, { indexedRuns = null, prunedTo = null, timelineRuns = null }) =>
    void statement.run(prunedTo, timelineRuns, indexedRuns, workspace)
}

/** Returns up to `count` workspaces with data that are not deleted, in the order of their ids, beginning after the id `after`. */
export const readWorkspacesAfter = (
  database: Database,
): ((after: number, count: number) => ReadonlyArray<WorkspaceId>) => {
  const statement = database.prepareByPlace(
    "SELECT workspace FROM heads WHERE workspace > ? AND deleted_at IS NULL ORDER BY workspace LIMIT ?",
  )
  return (after, count) => statement.all(after, count).map((row) => workspaceId(integer(row[0])))
}
