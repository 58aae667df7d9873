import type { CursorKey } from "@inlethq/core/ports/LogCursors"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { MemoryCursor, MemoryState } from "./MemoryState.ts"

/** Returns the name of a cursor in `MemoryState`. */
export const nameOf = ({ destination, workspace }: CursorKey): string => `${workspace}:${destination}`

export type Cursors = MemoryState["Service"]["cursors"]

/** Returns how far a reader has come, or null if nobody reads because the cursor was not claimed since it was cleared. */
export const followedTo = (cursors: Cursors, key: CursorKey): number | null => {
  const { cleared, position, token } = cursorOf(cursors, key)
  return token === 0 || cleared === true ? null : (position ?? 0)
}

/** Returns a cursor, whether or not a reader has claimed it. */
export const cursorOf = (cursors: Cursors, key: CursorKey): MemoryCursor =>
  cursors.get(nameOf(key)) ?? { position: null, token: 0 }

/** Moves a cursor forward. Returns false if the token is not the newest. */
export const advance = (
  cursors: Cursors,
  key: CursorKey,
  to: Sequence | null,
  token: number | null,
): boolean => {
  const before = cursorOf(cursors, key)
  if (token !== null && token !== before.token) return false
  if ((to ?? 0) > (before.position ?? 0)) cursors.set(nameOf(key), { ...before, position: to })
  return true
}
