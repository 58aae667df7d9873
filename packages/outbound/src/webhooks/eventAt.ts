import { requestedActivity, type RequestedActivity } from "@inlethq/log/reading/filteredActivity"
import { unsubscribedDelivery } from "@inlethq/log/reporting/reportingEvents"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { sequenceAt, type EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { Effect, Option } from "effect"
import { alertEventAt } from "./alertEvents.ts"
import { driftEventAt } from "./driftEvents.ts"
import { outgoingEvents, type EventChoice } from "./outgoingEvents.ts"

/** Returns the entries that a webhook reads. An invalid filter is a defect, because filters are checked before they are saved. */
export const entriesOf = ({ filter }: Webhook): Effect.Effect<RequestedActivity> =>
  Effect.orDie(Effect.fromResult(requestedActivity(filter === null ? {} : { filter }, null)))

/** Returns the events that a webhook sends for an entry of the log. */
export const eventsOfEntry = Effect.fnUntraced(function* (choice: EventChoice, record: ActivityRecord) {
  const catalog = yield* Catalog
  const { kind, workspace } = choice.webhook
  const id = kind === "reporting" ? unsubscribedDelivery(record) : null
  const found = id === null ? Option.none() : yield* catalog.delivery(workspace, id)
  const channel = Option.isSome(found) ? found.value.delivery.channel : null
  return outgoingEvents(choice, record, channel)
})

/**
 * Returns an event as its webhook would send it now. Returns undefined if its entry was erased or has expired, or no
 * longer contains the event.
 */
export const eventAt = Effect.fnUntraced(function* (
  webhook: Webhook,
  { identifiers }: Workspace,
  position: EventPosition,
) {
  if (webhook.kind === "alerts") return yield* alertEventAt(webhook, position)
  if (webhook.kind === "types") return yield* driftEventAt(webhook, position, yield* yield* TrustedTime)
  const catalog = yield* Catalog
  const sequence = sequenceAt(position)
  const record = sequence === null ? Option.none() : yield* catalog.operation(webhook.workspace, sequence)
  if (Option.isNone(record)) return undefined
  const { matches } = yield* entriesOf(webhook)
  const events = yield* eventsOfEntry({ webhook, identifiers, matches }, record.value)
  return events.find((event) => event.position === position)
})
