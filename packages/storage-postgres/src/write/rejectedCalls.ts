import { erasedCalls, rejectedCharactersMax } from "@inlet/core/log/RejectedCall"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { BatchRows } from "@inlet/storage/batchRows"
import { searchedCallFromRow } from "@inlet/storage/rejectedCallRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts } from "../engine/parameters.ts"
import { chunksOf } from "./chunks.ts"

const insertSql = `
  INSERT INTO rejected_calls (workspace, sequence, received, characters, doc)
  SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[])`

const limitSql = `
  DELETE FROM rejected_calls WHERE workspace = $1 AND sequence <= (
    SELECT max(sequence) FROM (
      SELECT sequence, sum(characters) OVER (ORDER BY sequence DESC) AS total FROM rejected_calls WHERE workspace = $1
    ) AS counted WHERE total > ${rejectedCharactersMax}
  )`

/**
 * Saves what is kept of the rejected calls of a batch, and forgets the oldest if there are too many. Erases the calls
 * that contain an identifier of a person whom the batch deleted, so that no reader sees them after the commit.
 */
export const saveRejectedCalls = (
  connection: Connection,
  workspace: WorkspaceId,
  { erasedIdentifiers, rejectedCalls }: Pick<BatchRows, "rejectedCalls" | "erasedIdentifiers">,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    if (erasedIdentifiers.size > 0) {
      const rows = yield* connection.query("SELECT sequence, doc FROM rejected_calls WHERE workspace = $1", [
        workspace,
      ])
      const erased = erasedCalls(rows.map(searchedCallFromRow), erasedIdentifiers)
      for (const chunk of chunksOf(erased)) {
        yield* connection.executeWithNext(
          "DELETE FROM rejected_calls WHERE workspace = $1 AND sequence = ANY($2::bigint[])",
          [workspace, int8s(chunk)],
        )
      }
    }
    if (rejectedCalls.length === 0) return
    for (const chunk of chunksOf(rejectedCalls, ([, , characters]) => characters)) {
      yield* connection.executeWithNext(insertSql, [
        workspace,
        int8s(chunk.map((row) => row[0])),
        int8s(chunk.map((row) => row[1])),
        int8s(chunk.map((row) => row[2])),
        texts(chunk.map((row) => row[3])),
      ])
    }
    yield* connection.executeWithNext(limitSql, [workspace])
  })
