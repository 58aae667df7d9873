import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { ReadDatabase } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { rowsPerQueryMax } from "@inlethq/storage/budgets/ReadBudget"
import { runEntries, runOf, type Order } from "../log/runs.ts"

/** Positions in the log of a workspace, from `first` up to but not including `end`. */
export interface LogRange {
  readonly first: number
  readonly end: number
  /** The indexed run that contains the range, or null if the range is not indexed yet. */
  readonly run: number | null
}

/**
 * Returns the next range after a position. The range is the rest of an indexed run, or up to `rowsPerQueryMax` of the
 * newest entries, which are not indexed yet. Returns undefined at the end of the log.
 */
export const readRanges = (
  database: ReadDatabase,
): ((workspace: WorkspaceId, from: number, order: Order) => LogRange | undefined) => {
  const headOf = readHead(database)

  const ascending = (workspace: WorkspaceId, from: number): LogRange | undefined => {
    const { indexedRuns, nextSequence } = headOf(workspace)
    const first = from + 1
    const run = runOf(first)
    if (run < indexedRuns) return { first, end: (run + 1) * runEntries, run }
    if (first >= nextSequence) return undefined
    return { first, end: Math.min(first + rowsPerQueryMax, nextSequence), run: null }
  }

  const descending = (workspace: WorkspaceId, from: number): LogRange | undefined => {
    const { indexedRuns, nextSequence } = headOf(workspace)
    const newest = indexedRuns * runEntries
    const end = Math.min(from, nextSequence)
    if (end > newest) return { first: Math.max(newest, end - rowsPerQueryMax), end, run: null }
    if (end <= 1) return undefined
    const run = runOf(end - 1)
    return { first: run * runEntries, end, run }
  }

  return (workspace, from, order) =>
    order === "asc" ? ascending(workspace, from) : descending(workspace, from)
}
