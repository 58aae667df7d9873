import { noKind } from "@inlethq/storage/search/logCounts"
import type { RowSql } from "../tables/rowForms.ts"

/**
 * The number of log positions in a block. To count a day in 60 steps, a read adds up the blocks of the day, and counts the
 * entries of about 60 of them one by one. With this size, both take about as long for five million entries.
 */
export const blockEntries = 512

/** The SQL of the block with a log position. */
export const blockOf = (sequence: string): string => `(${sequence} / ${blockEntries})`

/** Counts the blocks of workspace `$1` with the log positions from `$2` up to but not including `$3`. */
export const countBlocksSql = `
  INSERT INTO log_counts (workspace, block, kind, outcome, earliest, latest, entries)
  SELECT $1, ${blockOf("sequence")}, coalesce(kind, ${noKind}), outcome, min(received), max(received), count(*)
  FROM activity WHERE workspace = $1 AND sequence >= $2 AND sequence < $3 GROUP BY 2, 3, 4`

/** Returns SQL that subtracts entries, the rows of `removed` with `sequence`, `kind` and `outcome`, from their blocks. */
export const subtractSql = (rows: RowSql, removed: string): string => `
  UPDATE log_counts SET entries = entries - wanted.lost
  ${rows.fromListed(
    "log_counts",
    `(
      SELECT ${blockOf("sequence")} AS block, coalesce(kind, ${noKind}) AS kind, outcome, count(*) AS lost
      FROM ${removed} GROUP BY 1, 2, 3
    ) AS wanted`,
    "log_counts.block = wanted.block AND log_counts.kind = wanted.kind AND log_counts.outcome = wanted.outcome",
  )}`
