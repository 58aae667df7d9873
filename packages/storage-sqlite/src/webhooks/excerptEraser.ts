import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import { endOfEntry, eventPosition } from "@inlet/core/webhook/EventPosition"
import { integer, text } from "@inlet/storage/columns"
import { withoutExcerpt } from "@inlet/storage/tables/webhooks/webhookRows"
import type { Database } from "../engine/Database.ts"

/**
 * Returns a function that erases the stored answers of webhook receivers to the events of a log entry, because the
 * answers can repeat personal data. The function returns the number of changed rows.
 */
export const excerptEraser = (
  database: Database,
): ((workspace: WorkspaceId, sequence: Sequence) => number) => {
  const read = database.prepare(
    "SELECT webhook, key, doc FROM webhook_attempts WHERE workspace = ? AND position BETWEEN ? AND ?",
  )
  const save = database.prepare(
    "UPDATE webhook_attempts SET doc = ? WHERE workspace = ? AND webhook = ? AND key = ?",
  )
  return (workspace, sequence) => {
    const rows = read.all(workspace, eventPosition(sequence, 0), endOfEntry(sequence))
    for (const row of rows) {
      save.run(withoutExcerpt(text(row["doc"])), workspace, text(row["webhook"]), integer(row["key"]))
    }
    return rows.length
  }
}
