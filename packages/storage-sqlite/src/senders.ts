import { sendersBefore, type Sender, type SenderId } from "@inlet/core/log/Sender"
import type { Registry } from "@inlet/core/ports/Registry"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { integer, type Row } from "@inlet/storage/columns"
import { senderId } from "@inlet/storage/ids"
import { senderDoc } from "@inlet/storage/senderRows"
import { Effect } from "effect"
import type { Database } from "./engine/Database.ts"

/** Returns the function that numbers senders. */
export const senderNumbers = (database: Database): Registry["Service"]["sender"] => {
  const { durability } = database
  const find = finder(database.reads)
  const findOrAdd = adder(database)
  return (workspace, sender) =>
    Effect.flatMap(
      durability.read("read a sender", () => find(workspace, sender)),
      (known) =>
        known === null
          ? durability.write("add a sender", () => database.write(() => findOrAdd(workspace, sender)))
          : Effect.succeed(known),
    )
}

const finder = (
  database: Pick<Database, "prepare">,
): ((workspace: WorkspaceId, sender: Sender) => SenderId | null) => {
  const byDoc = database.prepare("SELECT id FROM senders WHERE workspace = ? AND doc = ?")
  return (workspace, sender) => numberIn(byDoc.get(workspace, senderDoc(sender)))
}

const adder = (database: Database): ((workspace: WorkspaceId, sender: Sender) => SenderId | null) => {
  const find = finder(database)
  const insert = database.prepare(
    "INSERT INTO senders (workspace, id, doc) SELECT ?, coalesce(max(id), 0) + 1, ? FROM senders WHERE workspace = ? HAVING count(*) < ? RETURNING id",
  )
  return (workspace, sender) =>
    find(workspace, sender) ??
    numberIn(insert.get(workspace, senderDoc(sender), workspace, sendersBefore(sender)))
}

const numberIn = (row: Row | undefined): SenderId | null =>
  row === undefined ? null : senderId(integer(row["id"]))
