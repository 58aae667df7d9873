import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { integer } from "@inlet/storage/columns"
import { readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { lightRowsMax } from "../read/Slice.ts"
import { runEntries, runOf, type Order } from "./runs.ts"

/** A stretch of the log to look through: the positions from `first` on that are less than `end`. */
export interface Stretch {
  readonly first: number
  readonly end: number
  /** The run that it lies in, if that is indexed. */
  readonly run: number | null
}

/**
 * Reads the next stretch beyond a position that may hold entries of a workspace: of an indexed run the whole rest, of the
 * newest entries, which are not indexed yet, a part. Undefined at the end of the log.
 */
export const readStretches = (
  database: Database,
): ((workspace: WorkspaceId, from: number, order: Order) => Stretch | undefined) => {
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

  const ascending = (workspace: WorkspaceId, from: number): Stretch | undefined => {
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

  const descending = (workspace: WorkspaceId, from: number): Stretch | undefined => {
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
