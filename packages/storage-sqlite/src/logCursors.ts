import type { LogCursors } from "@inlet/core/ports/LogCursors"
import { claimedFromRow, cursorOfDeleted, cursorPosition } from "@inlet/storage/cursorRows"
import type { Database } from "./engine/Database.ts"
import { readIsDeleted } from "./engine/deletedWorkspaces.ts"

/** Makes the store of cursors. The table has one row for each workspace and destination. */
export const makeLogCursors = (database: Database): LogCursors["Service"] => {
  const { durability } = database
  const ofCursor = "workspace = ? AND destination = ?"
  const read = database.reads.prepare(`SELECT sequence FROM log_cursors WHERE ${ofCursor}`)
  const claim = database.prepare(`
    INSERT INTO log_cursors (workspace, destination, token, sequence) VALUES (?, ?, 1, 0)
    ON CONFLICT (workspace, destination) DO UPDATE SET token = token + 1 RETURNING token, sequence
  `)
  const advance = database.prepare(
    `UPDATE log_cursors SET sequence = max(sequence, ?) WHERE ${ofCursor} AND token = ?`,
  )
  const move = database.prepare(`
    INSERT INTO log_cursors (sequence, workspace, destination, token) VALUES (?, ?, ?, 0)
    ON CONFLICT (workspace, destination) DO UPDATE SET sequence = max(sequence, excluded.sequence)
  `)
  const isDeleted = readIsDeleted(database)
  // A power failure may undo an unsynced claim, but it also ends the only process that reads the log.
  const write = <A>(operation: string, body: () => A) =>
    durability.inTurn(durability.attempt(operation, () => database.writeUnsynced(body)))
  return {
    position: ({ destination, workspace }) =>
      durability.read("read a cursor", () => cursorPosition(read.get(workspace, destination))),
    claim: ({ destination, workspace }) =>
      write("claim a cursor", () =>
        isDeleted(workspace) ? cursorOfDeleted : claimedFromRow(claim.get(workspace, destination)),
      ),
    advance: ({ destination, workspace }, to, token) =>
      write("save a cursor", () => {
        if (isDeleted(workspace)) return false
        const { changes } =
          token === null
            ? move.run(to, workspace, destination)
            : advance.run(to, workspace, destination, token)
        return Number(changes) > 0
      }),
  }
}
