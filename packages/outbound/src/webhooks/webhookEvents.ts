import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { sequenceAt, type EventPosition } from "@inlethq/core/webhook/EventPosition"
import { retriedForMs } from "@inlethq/core/webhook/retryWait"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Clock, Effect, Option, Schedule } from "effect"
import type { Batch } from "../follower/Destination.ts"
import { deliver, targetOf, type Delivered } from "./deliver.ts"
import { entriesOf, eventsOfEntry } from "./eventAt.ts"
import type { OutgoingEvent } from "./outgoingEvents.ts"

/**
 * The age, in milliseconds, at which a cached event is read again before it is sent. Otherwise an event could be sent
 * long after its person was deleted.
 */
const readAgainAfterMs = 1000

/**
 * The event's person may be erased during an attempt. After an attempt of at least this many milliseconds, the event is
 * read again, and the excerpt of the response is recorded only if the event has not changed.
 */
const lateAnswerMs = 1000

/** The pause after a failed read of the store. */
const unavailablePause = "1 second"

/** A sent event and its result. */
export interface Sent {
  readonly event: OutgoingEvent
  readonly delivered: Delivered
}

/**
 * Makes the functions that turn log entries into the events of a webhook, and send them. Caches the events of the last
 * batch.
 */
export const webhookEvents = Effect.fnUntraced(function* (webhook: Webhook, { identifiers }: Workspace) {
  const catalog = yield* Catalog
  const trusted = yield* TrustedTime
  const target = yield* targetOf(webhook)
  const { matches, stored } = yield* entriesOf(webhook)
  let recent: ReadonlyMap<EventPosition, OutgoingEvent> = new Map()
  let recentAt: EpochMillis = 0

  const eventsOf = (record: ActivityRecord) =>
    Effect.provideService(eventsOfEntry({ webhook, identifiers, matches }, record), Catalog, catalog)

  /** Returns the events of a batch. Leaves out events that are too old to be sent. */
  const eventsIn = Effect.fnUntraced(function* ({ readAt, records }: Batch) {
    const now = yield* trusted
    const events: Array<OutgoingEvent> = []
    for (const record of records) {
      if (now - record.entry.receivedAt < retriedForMs) events.push(...(yield* eventsOf(record)))
    }
    recent = new Map(events.map((event) => [event.position, event]))
    recentAt = readAt
    return events
  })

  /**
   * Returns the current version of an event. Returns undefined if its entry was erased or has expired, or no longer
   * contains the event.
   */
  const current = Effect.fnUntraced(
    function* (position: EventPosition) {
      const cached = recent.get(position)
      if (cached !== undefined && (yield* Clock.currentTimeMillis) - recentAt <= readAgainAfterMs)
        return cached
      const sequence = sequenceAt(position)
      const record = sequence === null ? Option.none() : yield* catalog.operation(webhook.workspace, sequence)
      const events = Option.isSome(record) ? yield* eventsOf(record.value) : []
      return events.find((event) => event.position === position)
    },
    Effect.tapError((error) => Effect.logWarning("an event of a webhook could not be read", error)),
    Effect.retry(Schedule.spaced(unavailablePause)),
    Effect.orDie,
  )

  /** Sends the current version of an event. Returns null if the event no longer exists. */
  const send = Effect.fnUntraced(function* (position: EventPosition) {
    const event = yield* current(position)
    if (event === undefined) return null
    const delivered = yield* deliver(target, event)
    if (delivered.excerpt === null || delivered.durationMs < lateAnswerMs) return { event, delivered }
    const after = yield* current(position)
    return { event, delivered: after?.body === event.body ? delivered : { ...delivered, excerpt: null } }
  })

  return { filter: stored, eventsIn, send }
})

export type WebhookEvents = Effect.Success<ReturnType<typeof webhookEvents>>
