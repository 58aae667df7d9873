import type { EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"

const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

/**
 * The lengths of the three parts of a ULID, in characters: the time (48 bits), and the workspace and the position (80
 * bits together).
 */
const timeCharacters = 10
const workspaceCharacters = 5
const positionCharacters = 11

/**
 * Returns the `event_id` of an event: a ULID made of the receipt time, the workspace and the position of the event. The
 * `event_id` is the same at every attempt and on every node, so receivers can recognise duplicates.
 */
export const eventId = (receivedAt: EpochMillis, workspace: WorkspaceId, position: EventPosition): string =>
  inBase32(Math.max(0, receivedAt), timeCharacters) +
  inBase32(workspace, workspaceCharacters) +
  inBase32(position, positionCharacters)

/** Returns the last `length` digits of a number in Crockford's Base32. */
const inBase32 = (n: number, length: number): string => {
  let text = ""
  for (let rest = n; text.length < length; rest = Math.floor(rest / digits.length)) {
    text = digits.charAt(rest % digits.length) + text
  }
  return text
}
