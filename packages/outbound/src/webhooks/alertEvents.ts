import { alertDocument, type AlertEvent } from "@inlethq/contract/alerts/Alerts"
import type { Alert } from "@inlethq/core/alert/Alert"
import { Alerts } from "@inlethq/core/ports/Alerts"
import { operationIdText, type Sequence } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { eventPosition, type EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Effect } from "effect"
import type { OutgoingEvent } from "./outgoingEvents.ts"

/** An event of a webhook of kind `alerts`, and where it stands among the begins and ends of alerts. */
export interface MarkedEvent extends OutgoingEvent {
  readonly mark: Sequence
}

/** Returns the begins and ends of alerts that a webhook sends, in order. Leaves out alerts from before it was made. */
export const alertEvents = Effect.fnUntraced(function* (webhook: Webhook) {
  const { createdAt, events, workspace } = webhook
  const alerts = yield* Alerts.use((store) => store.list(workspace))
  return alerts
    .filter(
      ({ beganAt, condition }) =>
        beganAt >= createdAt && (events.includes("*") || events.includes(condition)),
    )
    .flatMap(eventsOf)
    .toSorted((a, b) => a.mark - b.mark)
})

/** Returns an event as its webhook would send it now, or undefined if its alert has begun again since. */
export const alertEventAt = (webhook: Webhook, position: EventPosition) =>
  Effect.map(alertEvents(webhook), (events) => events.find((event) => event.position === position))

const eventsOf = (alert: Alert): ReadonlyArray<MarkedEvent> => {
  const { beganAt, beganMark, endedAt, endedMark } = alert
  const began = eventOf({ ...alert, endedAt: null }, "began", beganMark, beganAt)
  return endedMark === null || endedAt === null
    ? [began]
    : [began, eventOf(alert, "ended", endedMark, endedAt)]
}

const eventOf = (
  alert: Alert,
  state: AlertEvent["state"],
  mark: Sequence,
  receivedAt: EpochMillis,
): MarkedEvent => {
  const eventId = `${alert.alertId}.${mark}`
  const body: AlertEvent = { event_id: eventId, state, ...alertDocument(alert) }
  return {
    mark,
    position: eventPosition(mark, 0),
    subject: null,
    receivedAt,
    eventId,
    operationId: alert.operationId ?? operationIdText(alert.workspace, mark, null),
    body: JSON.stringify(body),
  }
}
