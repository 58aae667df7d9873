import type { ForwardDocument } from "@inlethq/contract/webhooks/Forwards"
import { drawFields } from "./fields.ts"
import { paint, type Screen } from "./Screen.ts"
import { drawBlockedBy } from "./sending.ts"
import { count, onOneLine, printable } from "./text.ts"
import { fullTime } from "./times.ts"

/** Draws the settings of a forward, and the operation that it sends again if there is one. */
export const drawForward = (forward: ForwardDocument, screen: Screen): ReadonlyArray<string> => [
  paint(screen, "bold", printable(forward.forward_id)),
  ...drawFields(screen, [
    ["name", forward.name],
    ["kind", forward.to],
    ["url", forward.url],
    ["filter", forward.filter],
    ["as", forward.as],
    ["retry", forward.retry],
    ["enabled", forward.enabled ? "yes" : "no"],
    ["waiting operations", count(forward.waiting.operations)],
    ["entries behind", count(forward.waiting.entries)],
    ["last error", forward.last_error === null ? null : onOneLine(forward.last_error)],
    ["created", fullTime(screen.times, forward.created_at)],
    ["updated", fullTime(screen.times, forward.updated_at)],
  ]),
  ...drawBlockedBy(screen, forward.blocked_by),
]
