import type { LogCursors } from "@inlet/core/ports/LogCursors"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { claimedFromRow, cursorOfDeleted, cursorPosition } from "@inlet/storage/cursorRows"
import { Effect } from "effect"
import type { Connection } from "./engine/Connection.ts"
import type { Database } from "./engine/Database.ts"
import type { DatabaseError } from "./engine/DatabaseError.ts"
import { expectWorkspace } from "./tables/deletedWorkspaces.ts"

const ofCursor = "workspace = $1 AND destination = $2"

const claimSql = `
  INSERT INTO log_cursors AS stored (workspace, destination, token, sequence) VALUES ($1, $2, 1, 0)
  ON CONFLICT (workspace, destination) DO UPDATE SET token = stored.token + 1 RETURNING token, sequence
`

const advanceSql = `UPDATE log_cursors SET sequence = greatest(sequence, $3) WHERE ${ofCursor} AND token = $4`

const moveSql = `
  INSERT INTO log_cursors AS stored (workspace, destination, token, sequence) VALUES ($1, $2, 0, $3)
  ON CONFLICT (workspace, destination) DO UPDATE SET sequence = greatest(stored.sequence, excluded.sequence)
`

/** Makes the store of cursors. The table has one row for each workspace and destination. */
export const makeLogCursors = (database: Database["Service"]): LogCursors["Service"] => {
  const write = <A>(
    operation: string,
    workspace: WorkspaceId,
    body: (connection: Connection) => Effect.Effect<A, DatabaseError>,
    ofDeleted: A,
  ) =>
    Effect.catchTag(
      database.write(operation, workspace, (connection) =>
        Effect.andThen(expectWorkspace(connection, workspace), body(connection)),
      ),
      "WorkspaceDeleted",
      () => Effect.succeed(ofDeleted),
    )
  return {
    position: ({ destination, workspace }) =>
      Effect.map(
        database.query("read a cursor", `SELECT sequence FROM log_cursors WHERE ${ofCursor}`, [
          workspace,
          destination,
        ]),
        ([row]) => cursorPosition(row),
      ),
    claim: ({ destination, workspace }) =>
      write(
        "claim a cursor",
        workspace,
        (connection) =>
          Effect.map(connection.query(claimSql, [workspace, destination]), ([row]) => claimedFromRow(row)),
        cursorOfDeleted,
      ),
    advance: ({ destination, workspace }, to, token) =>
      write(
        "save a cursor",
        workspace,
        (connection) =>
          Effect.map(
            token === null
              ? connection.execute(moveSql, [workspace, destination, to])
              : connection.execute(advanceSql, [workspace, destination, to, token]),
            (changed) => changed > 0,
          ),
        false,
      ),
  }
}
