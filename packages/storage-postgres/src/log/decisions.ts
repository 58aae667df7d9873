import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer } from "@inlethq/storage/columns/columns"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { decisionOf, indexedDecision } from "../tables/indexedColumns.ts"

/** The codes of kinds, outcomes and rules that a search wants. Null stands for all. */
export interface WantedDecisions {
  readonly kinds: ReadonlyArray<number> | null
  readonly outcomes: ReadonlyArray<number> | null
  readonly rules: ReadonlyArray<number> | null
}

/** The most combinations of kind, outcome and rule that a search looks at. A log has about a hundred. */
const decisionsMax = 2000

/**
 * The query jumps in the index from each combination to the next different one, so its cost does not depend on the number
 * of entries.
 */
const decisionsSql = `
  WITH RECURSIVE decisions (decision, place) AS (
    (SELECT ${indexedDecision}, 1 FROM activity WHERE workspace = $1 ORDER BY ${indexedDecision} LIMIT 1)
    UNION ALL
    SELECT (
      SELECT ${indexedDecision} FROM activity WHERE workspace = $1 AND ${indexedDecision} > decisions.decision
      ORDER BY ${indexedDecision} LIMIT 1
    ), place + 1
    FROM decisions WHERE decisions.decision IS NOT NULL AND place <= $2
  )
  SELECT decision FROM decisions WHERE decision IS NOT NULL`

/**
 * Returns the combinations of kind, outcome and rule in a workspace's log that a search wants, or undefined if the log has
 * too many combinations.
 */
export const findDecisions = (
  connection: Connection,
  workspace: WorkspaceId,
  { kinds, outcomes, rules }: WantedDecisions,
): Effect.Effect<ReadonlyArray<number> | undefined, DatabaseError> =>
  Effect.map(connection.queryByIndex(decisionsSql, [workspace, decisionsMax]), (rows) => {
    if (rows.length > decisionsMax) return undefined
    return rows
      .map(([decision]) => integer(decision))
      .filter((decision) => {
        const { kind, outcome, rule } = decisionOf(decision)
        return (
          (kinds === null || kinds.includes(kind)) &&
          (outcomes === null || outcomes.includes(outcome)) &&
          (rules === null || rules.includes(rule))
        )
      })
  })
