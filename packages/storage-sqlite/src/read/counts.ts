import { CountTable, type ActivityCounts, type CountedSteps } from "@inlet/core/catalog/ActivityCounts"
import type { Slices } from "@inlet/core/Slices"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { kindOf, outcomeOf } from "@inlet/storage/codes"
import { integer, integerOrNull } from "@inlet/storage/columns"
import { PositionSearch } from "@inlet/storage/PositionSearch"
import { lightRowsMax, rowsPerLightRow, ReadBudget } from "@inlet/storage/ReadBudget"
import type { Database } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { rowIdRange } from "../engine/rowIds.ts"
import { readFacets, type ValueCounts } from "../log/facets.ts"
import { runEntries, runOf } from "../log/runs.ts"

/** The largest number of runs that one read counts. Counting this many runs takes about a second of CPU time. */
const countedRunsMax = 5000

/** The cost of counting a part of a run by its bitmaps, which takes as long as reading this many rows of an index. */
const rowsPerPart = 128

/** The cost of reading the counts of a whole run. */
const rowsPerRun = 4

interface Counted {
  readonly counts: ValueCounts
  readonly rows: number
}

/** Log positions from `first` up to but not including `end`. */
interface Range {
  readonly first: number
  readonly end: number
}

/**
 * Counts log entries by time of receipt (in steps of equal length), kind and outcome. For an indexed run, the bitmaps
 * of kinds and outcomes are counted. Only the newest entries, which are not indexed yet, are counted one by one.
 */
export const readCounts = (database: Database) => {
  const headOf = readHead(database)
  const facetsOf = readFacets(database)
  const received = database.prepareByPlace(
    "SELECT received FROM activity WHERE id >= ? AND id < ? ORDER BY id LIMIT 1",
  )
  const grouped = database.prepareByPlace(
    "SELECT kind, outcome, count(*) FROM activity WHERE id >= ? AND id < ? GROUP BY kind, outcome",
  )

  /** Returns the first log position from `low` to `high` with an entry that was received at `time` or later. */
  const positionAt = (workspace: WorkspaceId, time: EpochMillis, low: number, high: number): number => {
    const search = new PositionSearch(low, high)
    for (let probe = search.probe; probe !== undefined; probe = search.probe) {
      const row = received.get(...rowIdRange(workspace, probe, high))
      search.report(row === undefined || integer(row[0]) >= time)
    }
    return search.position
  }

  /** Counts the entries of a range within one run, and returns what that cost in rows. */
  const countIn = (workspace: WorkspaceId, { end, first }: Range, isIndexed: boolean): Counted => {
    if (!isIndexed) {
      const rows = grouped.all(...rowIdRange(workspace, first, end))
      const counts = rows.map(
        (row) => [integerOrNull(row[0] ?? null), integer(row[1]), integer(row[2])] as const,
      )
      return { counts, rows: (end - first) * rowsPerLightRow }
    }
    const run = runOf(first)
    const facets = facetsOf(workspace, run)
    const all = end - first === runEntries ? facets.countAll() : undefined
    if (all !== undefined) return { counts: all, rows: rowsPerRun }
    const start = run * runEntries
    return { counts: facets.countWithin(first - start, end - start), rows: rowsPerPart }
  }

  return function* (workspace: WorkspaceId, { from, stepMs, steps }: CountedSteps): Slices<ActivityCounts> {
    const table = new CountTable()
    const { indexedRuns, nextSequence } = headOf(workspace)
    let budget = new ReadBudget()
    let runs = 0
    let end = positionAt(workspace, from + steps * stepMs, 1, nextSequence)
    for (let step = steps - 1; step >= 0; step--) {
      const first = positionAt(workspace, from + step * stepMs, 1, end)
      while (end > first) {
        const run = runOf(end - 1)
        const isIndexed = run < indexedRuns
        const part = partOf({ first, end }, isIndexed)
        const { counts, rows } = countIn(workspace, part, isIndexed)
        for (const [kind, outcome, count] of counts) {
          table.add({ step, kind: kind === null ? null : kindOf(kind), outcome: outcomeOf(outcome) }, count)
        }
        if (part.first === run * runEntries && ++runs === countedRunsMax) {
          return { counts: table.counts().filter((row) => row.step > step), firstStep: step + 1 }
        }
        budget.rows -= rows
        end = part.first
        if (budget.isOver) {
          yield
          budget = new ReadBudget()
        }
      }
      budget.rows -= searchRows
    }
    return { counts: table.counts(), firstStep: 0 }
  }
}

/** The largest number of rows that a binary search for a log position reads: one row for each bit of the position. */
const searchRows = 38

/**
 * Returns the newest part of a range that one query can count. This part lies within one run and has a bounded length.
 */
const partOf = ({ end, first }: Range, isIndexed: boolean): Range => {
  const start = Math.max(first, runOf(end - 1) * runEntries)
  return { first: isIndexed ? start : Math.max(start, end - lightRowsMax), end }
}
