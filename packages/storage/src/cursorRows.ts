import type { ClaimedCursor } from "@inlet/core/ports/LogCursors"
import type { Sequence } from "@inlet/core/values/Identifier"
import { integer, type Row } from "./columns.ts"
import { sequenceOf } from "./ids.ts"

/** What a reader gets if it claims the cursor of a deleted workspace. No cursor has this token. */
export const cursorOfDeleted: ClaimedCursor = { position: null, token: 0 }

/** Returns the position in a row of `log_cursors`. The table stores 0 for a reader that has not read any entry yet. */
export const cursorPosition = (row: Row | undefined): Sequence | null => {
  const sequence = integer(row?.["sequence"] ?? 0)
  return sequence === 0 ? null : sequenceOf(sequence)
}

export const claimedFromRow = (row: Row | undefined): ClaimedCursor => ({
  position: cursorPosition(row),
  token: integer(row?.["token"]),
})
