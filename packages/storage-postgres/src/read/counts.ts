import { CountTable, type ActivityCounts, type CountedSteps } from "@inlet/core/catalog/ActivityCounts"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { kindOf, outcomeOf } from "@inlet/storage/codes"
import { integer, integerOrNull } from "@inlet/storage/columns"
import { PositionSearch } from "@inlet/storage/PositionSearch"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { readHead } from "../tables/heads.ts"
import type { Read } from "./Read.ts"

/**
 * The largest number of log positions that one statement counts. Counting this many positions takes about 10 ms of the
 * server's CPU.
 */
const positionsPerQuery = 10_000

/** The largest number of log positions that one read counts. */
const countedPositionsMax = 2_000_000

const receivedSql = `
  SELECT received FROM activity WHERE workspace = $1 AND sequence >= $2 AND sequence < $3 ORDER BY sequence LIMIT 1`

const countSql = `
  SELECT (received - $4::bigint) / $5::bigint, kind, outcome, count(*)
  FROM activity WHERE workspace = $1 AND sequence >= $2 AND sequence < $3 GROUP BY 1, 2, 3`

/**
 * Counts log entries by time of receipt (in steps of equal length), kind and outcome, from the newest to the oldest.
 */
export const countActivity = (
  read: Read,
  workspace: WorkspaceId,
  { from, stepMs, steps }: CountedSteps,
): Effect.Effect<ActivityCounts, StoreUnavailable> =>
  Effect.gen(function* () {
    const table = new CountTable()
    const { end, first } = yield* read((connection) =>
      Effect.gen(function* () {
        const { nextSequence } = yield* readHead(connection, workspace)
        const end = yield* positionAt(connection, workspace, from + steps * stepMs, 1, nextSequence)
        return { first: yield* positionAt(connection, workspace, from, 1, end), end }
      }),
    )
    const oldest = Math.max(first, end - countedPositionsMax)
    for (let to = end; to > oldest; to -= positionsPerQuery) {
      const parameters = [workspace, Math.max(oldest, to - positionsPerQuery), to, from, stepMs]
      const rows = yield* read((connection) => connection.queryByIndex(countSql, parameters))
      for (const [step, kind, outcome, count] of rows) {
        const code = integerOrNull(kind)
        const at = { step: integer(step), kind: code === null ? null : kindOf(code) }
        table.add({ ...at, outcome: outcomeOf(integer(outcome)) }, integer(count))
      }
    }
    const counts = table.counts()
    // The log is counted from the newest entry. If older entries were not counted, the oldest step (an interval of
    // time) is incomplete, so its counts are left out.
    const firstStep = oldest > first ? (counts[0]?.step ?? 0) + 1 : 0
    return { counts: counts.filter(({ step }) => step >= firstStep), firstStep }
  })

/** Returns the first log position from `low` to `high` with an entry that was received at `time` or later. */
const positionAt = (
  connection: Connection,
  workspace: WorkspaceId,
  time: EpochMillis,
  low: number,
  high: number,
): Effect.Effect<number, DatabaseError> =>
  Effect.gen(function* () {
    const search = new PositionSearch(low, high)
    for (let probe = search.probe; probe !== undefined; probe = search.probe) {
      const [row] = yield* connection.queryByIndex(receivedSql, [workspace, probe, high])
      search.report(row === undefined || integer(row[0]) >= time)
    }
    return search.position
  })
