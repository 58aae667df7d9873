import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { sequenceAt, type EventPosition } from "@inlethq/core/webhook/EventPosition"
import { retriedForMs } from "@inlethq/core/webhook/retryWait"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Option } from "effect"
import type { Batch } from "../follower/Destination.ts"
import { entriesOf, eventsOfEntry } from "./eventAt.ts"
import type { OutgoingEvent } from "./outgoingEvents.ts"
import { sendingOf } from "./sendingOf.ts"

/** Makes the functions that turn log entries into the events of a webhook, and send them. */
export const webhookEvents = Effect.fnUntraced(function* (webhook: Webhook, { identifiers }: Workspace) {
  const catalog = yield* Catalog
  const trusted = yield* TrustedTime
  const { matches, stored } = yield* entriesOf(webhook)

  const eventsOf = (record: ActivityRecord) =>
    Effect.provideService(eventsOfEntry({ webhook, identifiers, matches }, record), Catalog, catalog)

  const sending = yield* sendingOf(
    webhook,
    Effect.fnUntraced(function* (position: EventPosition) {
      const sequence = sequenceAt(position)
      const record = sequence === null ? Option.none() : yield* catalog.operation(webhook.workspace, sequence)
      const events = Option.isSome(record) ? yield* eventsOf(record.value) : []
      return events.find((event) => event.position === position)
    }),
  )

  /** Returns the events of a batch. Leaves out events that are too old to be sent. */
  const eventsIn = Effect.fnUntraced(function* ({ readAt, records }: Batch) {
    const now = yield* trusted
    const events: Array<OutgoingEvent> = []
    for (const record of records) {
      if (now - record.entry.receivedAt < retriedForMs) events.push(...(yield* eventsOf(record)))
    }
    sending.remember(events, readAt)
    return events
  })

  return { filter: stored, eventsIn, send: sending.send }
})
