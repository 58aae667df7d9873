import type { AttemptDocument } from "@inlethq/contract/webhooks/Webhooks"
import type { AttemptStatus } from "@inlethq/core/webhook/Attempt"
import type { Style } from "./Screen.ts"
import type { Column } from "./table.ts"
import { onOneLine } from "./text.ts"
import { dateTime } from "./times.ts"

/** The colours of the statuses of webhook attempts. */
export const statusStyles: Readonly<Record<AttemptStatus, Style>> = {
  delivered: "green",
  retrying: "yellow",
  failed: "red",
  skipped: "blue",
}

/** The columns of the table of a webhook's attempts. */
export const attemptColumns: ReadonlyArray<Column<AttemptDocument>> = [
  { heading: "ATTEMPT_ID", text: ({ attempt_id }) => attempt_id },
  { heading: "AT", text: ({ at }, { times }) => dateTime(times, at), isTime: true },
  { heading: "STATUS", text: ({ status }) => status, style: ({ status }) => statusStyles[status] },
  { heading: "NUMBER", text: ({ number }) => String(number) },
  {
    heading: "RESPONSE",
    text: ({ response_excerpt, response_status }) =>
      [response_status, response_excerpt === null ? null : onOneLine(response_excerpt)]
        .filter((part) => part !== null && part !== "")
        .join(" "),
    shrinks: true,
  },
  { heading: "OPERATION", text: ({ operation_id }) => operation_id },
  {
    heading: "NEXT",
    text: ({ next_at }, { times }) => (next_at === null ? "" : dateTime(times, next_at)),
    isOptional: true,
    isTime: true,
  },
]
