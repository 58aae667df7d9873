import { sendersBefore, type SenderId } from "@inlet/core/log/Sender"
import type { Registry } from "@inlet/core/ports/Registry"
import { senderId } from "@inlet/storage/ids"
import { senderDoc } from "@inlet/storage/senderRows"
import { Effect } from "effect"
import type { NamedRow } from "./engine/Connection.ts"
import { installation, type Database } from "./engine/Database.ts"

const senderSql = "SELECT id FROM senders WHERE workspace = $1 AND doc = $2"

/**
 * Adds a sender under the next number, unless another node has added it or the workspace has too many. If a concurrent
 * transaction adds a sender, the insert fails with a conflict and the transaction runs again.
 */
const addSql = `
  WITH known AS (${senderSql}),
  added AS (
    INSERT INTO senders (workspace, id, doc)
    SELECT $1, coalesce(max(id), 0) + 1, $2 FROM senders WHERE workspace = $1
    HAVING count(*) < $3 AND NOT EXISTS (SELECT FROM known) RETURNING id
  )
  SELECT id FROM known UNION ALL SELECT id FROM added`

/** Returns the function that numbers senders. */
export const senderNumbers =
  (database: Database["Service"]): Registry["Service"]["sender"] =>
  (workspace, sender) =>
    Effect.gen(function* () {
      const doc = senderDoc(sender)
      const [known] = yield* database.query("read a sender", senderSql, [workspace, doc])
      if (known !== undefined) return numberIn(known)
      const parameters = [workspace, doc, sendersBefore(sender)]
      const [added] = yield* database.write("add a sender", installation, (connection) =>
        connection.query(addSql, parameters),
      )
      return numberIn(added)
    })

const numberIn = (row: NamedRow | undefined): SenderId | null =>
  row === undefined ? null : senderId(Number(row["id"]))
