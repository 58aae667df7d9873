import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { integer } from "@inlet/storage/columns"
import { readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { lightRowsMax } from "./Slice.ts"
import { runEntries, runOf, type Order } from "../log/runs.ts"

/** A range of positions in the log, from `first` up to but not including `end`. */
export interface LogRange {
  readonly first: number
  readonly end: number
  /** The run that contains the range, if the run is indexed; else null. */
  readonly run: number | null
}

/**
 * Returns the next range after a position that may have entries of a workspace. The range is the rest of an indexed
 * run, or up to `lightRowsMax` of the newest entries, which are not indexed yet. Returns undefined at the end of the
 * log.
 */
export const readRanges = (
  database: Database,
): ((workspace: WorkspaceId, from: number, order: Order) => LogRange | undefined) => {
  const counters = readCounters(database)
  const runs = {
    asc: database.prepare(
      "SELECT run FROM workspace_runs WHERE workspace = ? AND run >= ? ORDER BY run ASC LIMIT 1",
    ),
    desc: database.prepare(
      "SELECT run FROM workspace_runs WHERE workspace = ? AND run <= ? ORDER BY run DESC LIMIT 1",
    ),
  }
  const runIn = (workspace: WorkspaceId, order: Order, position: number, indexedRuns: number) => {
    const row = runs[order].get(workspace, runOf(position))
    const run = row === undefined ? undefined : integer(row["run"])
    return run === undefined || run >= indexedRuns ? undefined : run
  }

  const ascending = (workspace: WorkspaceId, from: number): LogRange | undefined => {
    const { indexedRuns, nextSequence } = counters()
    const newest = indexedRuns * runEntries
    const run = from + 1 < newest ? runIn(workspace, "asc", from + 1, indexedRuns) : undefined
    if (run !== undefined) {
      return { first: Math.max(run * runEntries, from + 1), end: (run + 1) * runEntries, run }
    }
    const first = Math.max(newest, from + 1)
    if (first >= nextSequence) return undefined
    return { first, end: Math.min(first + lightRowsMax, nextSequence), run: null }
  }

  const descending = (workspace: WorkspaceId, from: number): LogRange | undefined => {
    const { indexedRuns, nextSequence } = counters()
    const newest = indexedRuns * runEntries
    const end = Math.min(from, nextSequence)
    if (end > newest) return { first: Math.max(newest, end - lightRowsMax), end, run: null }
    const run = runIn(workspace, "desc", end - 1, indexedRuns)
    if (run === undefined) return undefined
    return { first: run * runEntries, end: Math.min((run + 1) * runEntries, end), run }
  }

  return (workspace, from, order) =>
    order === "asc" ? ascending(workspace, from) : descending(workspace, from)
}
