import { erasedCalls, rejectedCharactersMax } from "@inlethq/core/log/RejectedCall"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { BatchRows } from "@inlethq/storage/rows/batchRows"
import { searchedCallFromRow, sqlEmptied, sqlHoldsCall } from "@inlethq/storage/rows/rejectedCallRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts } from "../engine/parameters.ts"
import { chunksOf } from "../engine/chunks.ts"

const allSql = `SELECT sequence, doc FROM rejected_calls WHERE workspace = $1 AND ${sqlHoldsCall}`

const insertSql = `
  INSERT INTO rejected_calls (workspace, sequence, received, characters, doc)
  SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[])`

/** An entry that pruning has passed is kept only for its call, so its row stays for housekeeping to remove both. */
const limitSql = `
  WITH surplus AS (
    SELECT sequence FROM (
      SELECT sequence, sum(characters) OVER (ORDER BY sequence DESC) AS total FROM rejected_calls WHERE workspace = $1 AND ${sqlHoldsCall}
    ) AS counted WHERE total > ${rejectedCharactersMax}
  ), removed AS (
    DELETE FROM rejected_calls USING surplus, heads WHERE heads.workspace = $1 AND rejected_calls.workspace = $1
      AND rejected_calls.sequence = surplus.sequence AND surplus.sequence > heads.pruned_to
  ), emptied AS (
    UPDATE rejected_calls SET ${sqlEmptied} FROM surplus, heads WHERE heads.workspace = $1 AND rejected_calls.workspace = $1
      AND rejected_calls.sequence = surplus.sequence AND surplus.sequence <= heads.pruned_to
  )
  UPDATE activity SET name = NULL FROM surplus WHERE activity.workspace = $1 AND activity.sequence = surplus.sequence AND name IS NOT NULL`

const eraseSql = `
  WITH emptied AS (UPDATE rejected_calls SET ${sqlEmptied} WHERE workspace = $1 AND sequence = ANY($2::bigint[]))
  UPDATE activity SET name = NULL WHERE workspace = $1 AND sequence = ANY($2::bigint[]) AND name IS NOT NULL`

/**
 * Saves what is kept of the rejected calls of a batch, and forgets the oldest if there are too many. Erases the calls
 * that contain an identifier of a person whom the batch deleted, so that no reader sees them after the commit. Must run
 * after the entries of the batch are saved.
 */
export const saveRejectedCalls = (
  connection: Connection,
  workspace: WorkspaceId,
  { erasedIdentifiers, rejectedCalls }: Pick<BatchRows, "rejectedCalls" | "erasedIdentifiers">,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    if (erasedIdentifiers.size > 0) {
      const rows = yield* connection.query(allSql, [workspace])
      const erased = erasedCalls(rows.map(searchedCallFromRow), erasedIdentifiers)
      for (const chunk of chunksOf(erased)) {
        yield* connection.executeWithNext(eraseSql, [workspace, int8s(chunk)])
      }
    }
    if (rejectedCalls.length === 0) return
    for (const chunk of chunksOf(rejectedCalls, ({ characters }) => characters)) {
      yield* connection.executeWithNext(insertSql, [
        workspace,
        int8s(chunk.map(({ sequence }) => sequence)),
        int8s(chunk.map(({ received }) => received)),
        int8s(chunk.map(({ characters }) => characters)),
        texts(chunk.map(({ doc }) => doc)),
      ])
    }
    yield* connection.executeWithNext(limitSql, [workspace])
  })
