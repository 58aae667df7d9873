import { secondMs } from "@inlethq/core/values/Timestamp"
import type { Attempt } from "@inlethq/core/webhook/Attempt"
import type { Webhook } from "@inlethq/core/webhook/Webhook"

/** Returns the request of an attempt, without the headers that sign it. */
export const requestOf = (
  { url }: Webhook,
  { at }: Attempt,
  { body, eventId }: { readonly body: string; readonly eventId: string },
) => {
  const timestamp = String(Math.floor(at / secondMs))
  return {
    method: "POST" as const,
    url,
    headers: {
      "content-type": "application/json",
      "webhook-id": eventId,
      "webhook-timestamp": timestamp,
      "x-cio-timestamp": timestamp,
    },
    body,
  }
}
