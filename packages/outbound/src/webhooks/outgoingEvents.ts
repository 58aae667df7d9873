import type { EntryMatcher } from "@inlethq/log/filter/matchFilter"
import { activityDocument } from "@inlethq/log/documents/activityDocument"
import { eventName } from "@inlethq/log/reporting/ReportingEvent"
import { isQuietReplay } from "@inlethq/contract/transfer/ReplayedEntry"
import { reportingEvents } from "@inlethq/log/reporting/reportingEvents"
import { toActivityView, type ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Channel } from "@inlethq/core/state/Delivery"
import { operationIdText } from "@inlethq/core/values/Identifier"
import type { FreshEvent } from "@inlethq/core/webhook/DeliveryQueue"
import { eventPosition } from "@inlethq/core/webhook/EventPosition"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import type { Workspace } from "@inlethq/core/workspace/Workspace"

/** An event as a webhook sends it. */
export interface OutgoingEvent extends FreshEvent {
  readonly eventId: string
  readonly operationId: string
  /** The body of the request, as JSON. */
  readonly body: string
}

/** The choice of events that a webhook sends. This object is made once and used for many log entries. */
export interface EventChoice {
  readonly webhook: Webhook
  readonly identifiers: Workspace["identifiers"]
  /**
   * Checks the filter of an activity webhook. Null if the store already checks the whole filter when it reads the log.
   */
  readonly matches: EntryMatcher | null
}

/**
 * Returns the events that a webhook sends for a log entry, in order. If the entry is an unsubscribe from a known
 * delivery, `unsubscribeChannel` is the channel of this delivery (such as email). Otherwise it is null. For an erased
 * entry, a webhook of kind `reporting` sends no event, and a webhook of kind `activity` sends the entry as the activity
 * list shows it, without personal data.
 */
export const outgoingEvents = (
  choice: EventChoice,
  record: ActivityRecord,
  unsubscribeChannel: Channel | null,
): ReadonlyArray<OutgoingEvent> => {
  const { sequence, batchIndex, receivedAt } = record.entry
  if (isQuietReplay(record.entry)) return []
  const view = toActivityView(record)
  const common = {
    receivedAt,
    operationId: operationIdText(choice.webhook.workspace, sequence, batchIndex),
    subject: view.person?.key ?? view.subject,
  }
  return bodiesOf(choice, record, unsubscribeChannel).map(({ body, eventId, index }) => ({
    ...common,
    position: eventPosition(sequence, index),
    eventId,
    body: JSON.stringify(body),
  }))
}

const bodiesOf = (
  { identifiers, matches, webhook }: EventChoice,
  record: ActivityRecord,
  unsubscribeChannel: Channel | null,
) => {
  const { bodyContent, events, firstOnly, kind } = webhook
  switch (kind) {
    case "activity": {
      if (tellsNothing(record.entry)) return []
      // Names such as `svc_id` in activity webhooks always begin with `svc`, even if `INLET_BRAND` is `cio` (contract
      // §1).
      const body = activityDocument(record, "svc")
      return matches === null || matches(body) ? [{ body, eventId: body.operation_id, index: 0 }] : []
    }
    case "reporting":
      return reportingEvents(record, { identifiers, bodyContent, firstOnly, unsubscribeChannel })
        .map((body, index) => ({ body, eventId: body.event_id, index }))
        .filter(({ body }) => events.includes("*") || events.includes(eventName(body)))
    // Their events come from the summaries of the log, and from the alerts.
    case "alerts":
    case "types":
      return []
  }
}

/** Returns whether an entry is a step of a build or of time with which nobody entered or left a segment. */
const tellsNothing = ({ data, effects, kind }: ActivityEntry): boolean =>
  kind === "segment_change" && data === null && effects.length === 0
