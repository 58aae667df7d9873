import { outcomeCodes } from "@inlethq/storage/columns/codes"
import { integer, integerOrNull } from "@inlethq/storage/columns/columns"
import { sequenceIn } from "@inlethq/storage/rows/entryRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import { blockOf } from "../log/blocks.ts"
import { readPrunedTo } from "../tables/heads.ts"
import { countedParts } from "./entries.ts"
import type { Queries } from "./Queries.ts"
import { historySince, keptSince, retentionSince, unreadByLake } from "./keptSince.ts"

const keptSinceSql = `
  SELECT ${historySince("$1", "$2")} AS history, ${retentionSince("$1", "$2")} AS retention, ${unreadByLake("$1")} AS unread`

const oldSql = `
  SELECT sequence, kind, outcome, ${countedParts("$4")}, CASE WHEN outcome = ${outcomeCodes.rejected} AND EXISTS (
      SELECT FROM rejected_calls AS calls WHERE calls.workspace = $1 AND calls.sequence = entries.sequence
    ) THEN 1 ELSE 0 END AS has_call
  FROM (
    SELECT sequence, kind, outcome, parts, received FROM activity WHERE workspace = $1 AND sequence > $2
    ORDER BY sequence LIMIT $4
  ) AS entries WHERE received < $3 ORDER BY sequence`

const removeCountsSql = `DELETE FROM log_counts WHERE workspace = $1 AND block < ${blockOf("$2")}`

const removeCallsSql = `
  DELETE FROM rejected_calls WHERE workspace = $1 AND sequence = ANY (ARRAY(
    SELECT sequence FROM rejected_calls WHERE workspace = $1 AND received < ${keptSince("$1", "$2")} ORDER BY received LIMIT $3
  )) RETURNING sequence`

export const logQueries = (
  connection: Connection,
): Queries<"keptSince" | "oldEntries" | "prunedTo" | "savePrunedTo" | "logBeginsAt" | "removeOldCalls"> => ({
  keptSince: (workspace, now) =>
    Effect.map(connection.query(keptSinceSql, [workspace, now]), ([row]) => ({
      history: integer(row?.["history"]),
      retention: integerOrNull(row?.["retention"] ?? null),
      unread: integerOrNull(row?.["unread"] ?? null),
    })),
  oldEntries: (workspace, after, receivedBefore, limit) =>
    Effect.map(connection.query(oldSql, [workspace, after ?? 0, receivedBefore, limit]), (rows) => ({
      rows,
      to: rows.map(sequenceIn).at(-1) ?? after ?? 0,
      isCut: false,
    })),
  prunedTo: (workspace) => readPrunedTo(connection, workspace),
  savePrunedTo: (workspace, prunedTo) =>
    connection.execute("UPDATE heads SET pruned_to = $2 WHERE workspace = $1", [workspace, prunedTo]),
  logBeginsAt: (workspace, position) => connection.execute(removeCountsSql, [workspace, position]),
  removeOldCalls: (workspace, now, limit) =>
    Effect.map(connection.query(removeCallsSql, [workspace, now, limit]), (rows) => rows.map(sequenceIn)),
})
