import { integer } from "@inlethq/storage/columns/columns"
import { groupIn, noKind, sqlStep, stepValues } from "@inlethq/storage/search/logCounts"
import type { ReadQueries } from "@inlethq/storage/read/ReadQueries"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { blockEntries } from "../log/blocks.ts"

/**
 * The largest number of blocks that one statement adds up. Adding up this many blocks takes a few milliseconds of the
 * server's CPU.
 */
const blocksPerQuery = 4096

const logSql = "SELECT counted_to, next_sequence FROM heads WHERE workspace = $1"

/** Counting 10,000 entries takes about 7 ms of the server's CPU. */
const entriesSql = `
  SELECT step, kind, outcome, count(*) AS count FROM (
    SELECT ${sqlStep("received")} AS step, coalesce(kind, ${noKind}) AS kind, outcome
    FROM activity WHERE workspace = $1 AND sequence >= $2 AND sequence < $3
  ) AS stepped GROUP BY step, kind, outcome`

type Queries = Pick<ReadQueries<DatabaseError>, "countedLog" | "countBlock" | "countEntries">

export const countQueries = (connection: Connection): Queries => {
  const countEntries: Queries["countEntries"] = (workspace, first, end, steps) =>
    Effect.map(connection.query(entriesSql, [workspace, first, end, ...stepValues(steps)]), (rows) =>
      rows.map(groupIn),
    )
  return {
    countedLog: (workspace) =>
      Effect.map(connection.query(logSql, [workspace]), ([row]) => ({
        blockEntries,
        blocksPerQuery,
        counted: integer(row?.["counted_to"] ?? 0),
        end: integer(row?.["next_sequence"] ?? 1),
      })),
    countBlock: (workspace, block, steps) =>
      countEntries(workspace, block * blockEntries, (block + 1) * blockEntries, steps),
    countEntries,
  }
}
