import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import { eventsPerEntryMax } from "@inlet/core/webhook/EventPosition"
import { integer, text } from "@inlet/storage/columns"
import { withoutExcerpt } from "@inlet/storage/tables/webhooks/webhookRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts } from "../engine/parameters.ts"

/** Selects the webhook attempts that sent the given log entries, and locks their rows in the order of their keys. */
const readSql = `
  SELECT attempts.webhook, attempts.key, attempts.doc
  FROM unnest($2::bigint[]) AS erased (sequence)
  JOIN webhook_attempts AS attempts ON attempts.workspace = $1
    AND attempts.position BETWEEN erased.sequence * ${eventsPerEntryMax} AND erased.sequence * ${eventsPerEntryMax} + ${eventsPerEntryMax - 1}
  ORDER BY attempts.webhook, attempts.key
  FOR UPDATE OF attempts`

const saveSql = `
  UPDATE webhook_attempts AS attempts SET doc = changed.doc
  FROM unnest($2::text[], $3::bigint[], $4::text[]) AS changed (webhook, key, doc)
  WHERE attempts.workspace = $1 AND attempts.webhook = changed.webhook AND attempts.key = changed.key`

/**
 * Erases the stored answers that webhook receivers gave to the given log entries. These answers can repeat personal
 * data.
 */
export const eraseExcerpts = (
  connection: Connection,
  workspace: WorkspaceId,
  sequences: ReadonlyArray<Sequence>,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const rows = yield* connection.query(readSql, [workspace, int8s(sequences)])
    if (rows.length === 0) return
    yield* connection.execute(saveSql, [
      workspace,
      texts(rows.map((row) => text(row["webhook"]))),
      int8s(rows.map((row) => integer(row["key"]))),
      texts(rows.map((row) => withoutExcerpt(text(row["doc"])))),
    ])
  })
