import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Alerts } from "@inlethq/core/ports/Alerts"
import type { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { LogSummaries } from "@inlethq/core/ports/LogSummaries"
import type { Registry } from "@inlethq/core/ports/Registry"
import type { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { heldEventsMax, type AttemptResult } from "@inlethq/core/webhook/DeliveryQueue"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Effect } from "effect"
import type { SecretBox } from "../SecretBox.ts"
import type { ConnectionPools } from "../sending/ConnectionPools.ts"
import type { Delivered } from "../sending/Delivered.ts"
import { QueueSender } from "../sending/QueueSender.ts"
import type { RecordWriter } from "../sending/RecordWriter.ts"
import type { Sender } from "../sending/Sender.ts"
import type { Sending } from "./sendingOf.ts"
import { countAttempt } from "./webhookMetrics.ts"

/** The services that webhooks need. */
export type WebhookServices =
  | Alerts
  | Catalog
  | ConnectionPools
  | LogCursors
  | LogSummaries
  | RecordWriter
  | Registry
  | SecretBox
  | Sender
  | WebhookStore

/** Loads what sends the events of a webhook, each in a request of its own. */
export const webhookSender = (webhook: Webhook, { send }: Pick<Sending, "send">) => {
  const { ordering, retry } = webhook
  return QueueSender.load<Sender>(
    { key: webhook, ordering, retry, heldMax: heldEventsMax },
    {
      eventsMax: 1,
      count: countAttempt,
      send: (positions) =>
        Effect.forEach(positions, (position) =>
          Effect.map(send(position), (sent) => {
            if (sent === null) return null
            const { delivered, event } = sent
            const { eventId, operationId } = event
            return { eventId, operationId, delivered, result: resultOf(delivered) }
          }),
        ),
    },
  )
}

const resultOf = ({ failure, retryAfterMs }: Delivered): AttemptResult =>
  failure === null ? { _tag: "Delivered" } : { _tag: "Failed", failure, retryAfterMs }
