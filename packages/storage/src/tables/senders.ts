import { sendersBefore, type Sender, type SenderId } from "@inlethq/core/log/Sender"
import type { Registry } from "@inlethq/core/ports/Registry"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { integer, type Row } from "../columns/columns.ts"
import { senderId } from "../columns/ids.ts"
import { senderDoc, sendersIn } from "../rows/senderRows.ts"
import { wholeInstallation } from "../columns/transferTables.ts"
import type { Statements, Tables } from "./Tables.ts"

const findSql = "SELECT id FROM senders WHERE workspace = $1 AND doc = $2"

/**
 * Adds a sender under the next number, unless the workspace has too many. If a concurrent transaction adds a sender, the
 * insert fails with a conflict and the transaction runs again.
 */
const addSql = `
  INSERT INTO senders (workspace, id, doc)
  SELECT CAST($1 AS BIGINT), coalesce(max(id), 0) + 1, $2 FROM senders WHERE workspace = $1
  HAVING count(*) < $3 RETURNING id`

const allSql = "SELECT id, doc FROM senders WHERE workspace = $1"

/** Returns the function that reads all senders of a workspace. */
export const allSenders =
  ({ read }: Tables): Registry["Service"]["senders"] =>
  (workspace) =>
    Effect.map(read("read the senders", allSql, workspace), sendersIn)

/** Returns the function that numbers senders. */
export const senderNumbers =
  ({ read, write }: Tables): Registry["Service"]["sender"] =>
  (workspace, sender) =>
    Effect.flatMap(read("read a sender", findSql, workspace, senderDoc(sender)), ([known]) =>
      known === undefined
        ? write("add a sender", wholeInstallation, (ask) => findOrAdd(ask, workspace, sender))
        : Effect.succeed(numberIn(known)),
    )

const findOrAdd = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  workspace: WorkspaceId,
  sender: Sender,
): Effect.fn.Return<SenderId | null, E> {
  const doc = senderDoc(sender)
  const [known] = yield* ask.rows(findSql, workspace, doc)
  if (known !== undefined) return numberIn(known)
  const [added] = yield* ask.rows(addSql, workspace, doc, sendersBefore(sender))
  return numberIn(added)
})

const numberIn = (row: Row | undefined): SenderId | null =>
  row === undefined ? null : senderId(integer(row["id"]))
