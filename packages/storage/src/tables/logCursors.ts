import type { ClaimedCursor, CursorKey, LogCursors } from "@inlethq/core/ports/LogCursors"
import type { Sequence } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { integer, type Row } from "../columns/columns.ts"
import { sequenceOf } from "../columns/ids.ts"
import type { Statements, Tables } from "./Tables.ts"

/** What a reader gets if it claims the cursor of a deleted workspace. No cursor has this token. */
const cursorOfDeleted: ClaimedCursor = { position: null, token: 0 }

/** What the table stores for a reader that has not read any entry yet, and for one that will not begin before its next claim. */
const unread = 0
export const cleared = -1

const positionIn = (row: Row | undefined): Sequence | null => {
  const sequence = integer(row?.["sequence"] ?? unread)
  return sequence <= unread ? null : sequenceOf(sequence)
}

const ofCursor = "workspace = $1 AND destination = $2"

const claimSql = `
  INSERT INTO log_cursors AS stored (workspace, destination, token, sequence) VALUES ($1, $2, 1, ${unread})
  ON CONFLICT (workspace, destination) DO UPDATE SET token = stored.token + 1,
    sequence = CASE WHEN stored.sequence < ${unread} THEN ${unread} ELSE stored.sequence END
  RETURNING token, sequence`

/** Moves a cursor for the reader whose token is the newest. */
export const advanceClaimedSql = `
  UPDATE log_cursors SET sequence = CASE WHEN sequence < $3 THEN $3 ELSE sequence END WHERE ${ofCursor} AND token = $4`

/** Returns SQL that moves a cursor forward, to the position that the SQL of a row names. */
const moveTo = (row: string): string => `
  INSERT INTO log_cursors AS stored (workspace, destination, token, sequence) ${row}
  ON CONFLICT (workspace, destination) DO UPDATE
    SET sequence = CASE WHEN stored.sequence < excluded.sequence THEN excluded.sequence ELSE stored.sequence END`

const moveSql = moveTo("VALUES ($1, $2, 0, $3)")

const moveToEndSql = moveTo("SELECT workspace, $2, 0, next_sequence - 1 FROM heads WHERE workspace = $1")

/** Moves a cursor behind the newest entry of its log. */
export const moveToEnd = <E>(
  ask: Statements<E>,
  { destination, workspace }: CursorKey,
): Effect.Effect<void, E> => Effect.asVoid(ask.run(moveToEndSql, workspace, destination))

/**
 * Makes the store of cursors. The table has one row for each workspace and destination. A power failure may undo an
 * unsynced claim, but in an embedded database it also ends the only process that reads the log.
 */
export const makeLogCursors = (tables: Tables): LogCursors["Service"] => ({
  position: ({ destination, workspace }) =>
    Effect.map(
      tables.read(
        "read a cursor",
        `SELECT sequence FROM log_cursors WHERE ${ofCursor}`,
        workspace,
        destination,
      ),
      ([row]) => positionIn(row),
    ),
  claim: ({ destination, workspace }) =>
    tables.writeUnsynced("claim a cursor", workspace, (ask) =>
      Effect.flatMap(ask.isDeleted(workspace), (isDeleted) =>
        isDeleted
          ? Effect.succeed(cursorOfDeleted)
          : Effect.map(ask.rows(claimSql, workspace, destination), ([row]) => ({
              position: positionIn(row),
              token: integer(row?.["token"]),
            })),
      ),
    ),
  advance: ({ destination, workspace }, to, token) =>
    tables.writeUnsynced("save a cursor", workspace, (ask) =>
      Effect.flatMap(ask.isDeleted(workspace), (isDeleted) => {
        if (isDeleted) return Effect.succeed(false)
        const moved =
          token === null
            ? ask.run(moveSql, workspace, destination, to)
            : ask.run(advanceClaimedSql, workspace, destination, to, token)
        return Effect.map(moved, (rows) => rows > 0)
      }),
    ),
})
