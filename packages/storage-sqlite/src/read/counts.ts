import type { CountedSteps } from "@inlethq/core/catalog/ActivityCounts"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { integer } from "@inlethq/storage/columns/columns"
import { groupIn, noKind, sqlStep, stepValues, type CountedGroup } from "@inlethq/storage/search/logCounts"
import { PositionSearch } from "@inlethq/storage/search/PositionSearch"
import type { ReadQueries } from "@inlethq/storage/read/ReadQueries"
import { Effect } from "effect"
import type { ReadDatabase } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { rowIdRange } from "../engine/rowIds.ts"
import { numbered } from "../engine/tables.ts"
import { readFacets } from "../log/facets.ts"
import { runEntries } from "../log/runs.ts"

/** The largest number of runs that one slice adds up, which takes about a millisecond. */
const runsPerQuery = 512

/**
 * The blocks of counted entries are the runs of the log. The end of a step divides a run by the bitmaps of its kinds and
 * outcomes, which takes much less time than reading its rows.
 */
export const countQueries = (
  database: ReadDatabase,
): Pick<ReadQueries<never>, "countedLog" | "countBlock" | "countEntries"> => {
  const headOf = readHead(database)
  const countRows = database.prepare(
    numbered(`
      SELECT step, kind, outcome, count(*) AS count FROM (
        SELECT ${sqlStep("received")} AS step, ifnull(kind, ${noKind}) AS kind, outcome
        FROM activity WHERE id >= $2 AND id < $3
      ) GROUP BY step, kind, outcome`),
  )
  const countRun = runCounter(database)
  return {
    countedLog: (workspace) =>
      Effect.sync(() => {
        const { indexedRuns, nextSequence } = headOf(workspace)
        return {
          blockEntries: runEntries,
          blocksPerQuery: runsPerQuery,
          counted: indexedRuns * runEntries,
          end: nextSequence,
        }
      }),
    countBlock: (workspace, block, steps) => Effect.sync(() => countRun(workspace, block, steps)),
    countEntries: (workspace, first, end, steps) =>
      Effect.sync(() =>
        countRows.all(workspace, ...rowIdRange(workspace, first, end), ...stepValues(steps)).map(groupIn),
      ),
  }
}

/** Counts the entries of an indexed run by step, from its newest entry to the oldest. */
const runCounter = (database: ReadDatabase) => {
  const facetsOf = readFacets(database)
  const received = database.prepareByPlace(
    "SELECT received FROM activity WHERE id >= ? AND id < ? ORDER BY id LIMIT 1",
  )
  const receivedLast = database.prepareByPlace(
    "SELECT received FROM activity WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1",
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

  return (workspace: WorkspaceId, run: number, steps: CountedSteps): ReadonlyArray<CountedGroup> => {
    const facets = facetsOf(workspace, run)
    const start = run * runEntries
    const groups: Array<CountedGroup> = []
    for (let end = start + runEntries; end > start;) {
      const last = receivedLast.get(...rowIdRange(workspace, start, end))
      if (last === undefined) break
      const step = stepAt(integer(last[0]), steps)
      const begin = steps.from + step * steps.stepMs
      const first = step < 0 ? start : positionAt(workspace, begin, start, end)
      for (const [kind, outcome, count] of facets.countWithin(first - start, end - start)) {
        groups.push({ step, kind, outcome, count })
      }
      end = first
    }
    return groups
  }
}

/** Returns the step of a time as `sqlStep` does. */
const stepAt = (time: EpochMillis, { from, stepMs, steps }: CountedSteps): number =>
  Math.max(-1, Math.min(steps, Math.floor((time - from) / stepMs)))
