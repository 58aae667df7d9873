import type { CountedSteps } from "@inlethq/core/catalog/ActivityCounts"
import { integer, type Row } from "../columns/columns.ts"

/*
 * Housekeeping divides the log into blocks of consecutive positions and counts each block once it is complete. A row of
 * `log_counts` has the number of entries of a block with one kind and one outcome (`entries`), and the times at which the
 * first and the last of them were received (`earliest` and `latest`).
 */

/** Entries of one kind with one outcome that were received during one step, as their codes. */
export interface CountedGroup {
  /** −1 for entries before the first step, and the number of steps for entries after the last one. */
  readonly step: number
  /** `noKind` for entries without a kind. */
  readonly kind: number
  readonly outcome: number
  readonly count: number
}

/** Stands for the kind of entries without a kind. The codes of kinds are greater. */
export const noKind = 0

/** Stands for the block of groups that were received in one step, of which the blocks are added up. */
export const inOneStep = -1

/** Decodes a row with the columns `step`, `kind`, `outcome` and `count`. */
export const groupIn = (row: Row): CountedGroup => ({
  step: integer(row["step"]),
  kind: integer(row["kind"]),
  outcome: integer(row["outcome"]),
  count: integer(row["count"]),
})

/** The values `$4` to `$6` of a statement with `sqlStep`. */
export const stepValues = ({ from, stepMs, steps }: CountedSteps): readonly [number, number, number] => [
  from,
  stepMs,
  steps,
]

/** Without the casts, SQLite would divide floating-point numbers. */
const [from, stepMs, steps] = ["$4", "$5", "$6"].map((value) => `CAST(${value} AS BIGINT)`)

/** Returns SQL for the step in which a time lies (`CountedGroup`). */
export const sqlStep = (time: string): string => `
  CASE WHEN ${time} < ${from} THEN -1 WHEN ${time} >= ${from} + ${stepMs} * ${steps} THEN ${steps}
    ELSE (${time} - ${from}) / ${stepMs} END`

/**
 * Adds up the blocks of workspace `$1` from `$2` up to but not including `$3`. Groups that were received in several steps
 * keep their blocks.
 */
export const blocksSql = `
  SELECT block, step, kind, outcome, CAST(sum(entries) AS BIGINT) AS count FROM (
    SELECT CASE WHEN step = last_step THEN ${inOneStep} ELSE block END AS block, step, kind, outcome, entries FROM (
      SELECT block, kind, outcome, entries, ${sqlStep("earliest")} AS step, ${sqlStep("latest")} AS last_step
      FROM log_counts WHERE workspace = $1 AND block >= $2 AND block < $3
    ) AS stepped
  ) AS summed GROUP BY block, step, kind, outcome`

/** Finds the first block of workspace `$1` with entries that were received at `$2` or later. */
export const blockFromSql =
  "SELECT block FROM log_counts WHERE workspace = $1 AND latest >= $2 ORDER BY latest, block LIMIT 1"
