import { inSlices } from "@inlethq/core/Slices"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { integer, text } from "@inlethq/storage/columns/columns"
import { BatchContexts, type KnownContexts } from "@inlethq/storage/rows/contextRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { texts } from "../engine/parameters.ts"

/** The descriptions with these digests, and the largest number of the workspace, whose digest is then null. */
const findSql = `
  SELECT digest, number FROM contexts WHERE workspace = $1 AND digest = ANY($2::text[] COLLATE "C")
  UNION ALL SELECT NULL, max(number) FROM contexts WHERE workspace = $1`

/**
 * Numbers the descriptions of a batch. Asks the database only if the batch has unknown ones. The lock on the workspace's row in
 * `heads` keeps other nodes from adding any.
 */
export const numberContexts = (
  connection: Connection,
  state: WorkingSet,
  known: KnownContexts,
): Effect.Effect<BatchContexts, DatabaseError> =>
  Effect.gen(function* () {
    const contexts = yield* inSlices(BatchContexts.of(state.written.entries, state, known), Effect.sync)
    if (contexts.unknown.size === 0) return contexts
    const rows = yield* connection.query(findSql, [state.workspace, texts([...contexts.unknown.keys()])])
    const found = rows.flatMap(({ digest, number }) =>
      digest === null ? [] : [{ digest: text(digest), number: integer(number) }],
    )
    const last = rows.find(({ digest }) => digest === null)?.["number"] ?? 0
    known.remember(state, contexts.number(found, integer(last)))
    return contexts
  })
