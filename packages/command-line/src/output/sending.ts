import type { BlockedBy, TestResult } from "@inlethq/contract/webhooks/Webhooks"
import { statusStyles } from "./attemptColumns.ts"
import { drawFields } from "./fields.ts"
import { section } from "./personPage.ts"
import { paint, type Screen } from "./Screen.ts"
import { count, onOneLine } from "./text.ts"
import { fullTime } from "./times.ts"

/** Draws what a webhook or forward sends again, while what comes after it waits. */
export const drawBlockedBy = (
  screen: Screen,
  blockedBy: typeof BlockedBy.Type | null,
): ReadonlyArray<string> =>
  section(
    screen,
    "BLOCKED BY",
    blockedBy === null
      ? []
      : drawFields(screen, [
          ["operation", blockedBy.operation_id],
          ["attempts", count(blockedBy.attempts)],
          ["next attempt", fullTime(screen.times, blockedBy.next_at)],
          ["received", fullTime(screen.times, blockedBy.received_at)],
        ]),
  )

/** Draws what a receiver answered to a sample. */
export const drawTested = (result: typeof TestResult.Type, screen: Screen): ReadonlyArray<string> => [
  paint(screen, statusStyles[result.status], result.status),
  ...drawFields(screen, [
    ["response status", result.response_status === null ? null : String(result.response_status)],
    ["duration", `${count(result.duration_ms)} ms`],
    ["response", result.response_excerpt === null ? null : onOneLine(result.response_excerpt)],
  ]),
]
