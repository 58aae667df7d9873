import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Clock, Effect, Schedule } from "effect"
import { deliver, targetOf } from "./deliver.ts"
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

/** Reads the current version of an event. Returns undefined if there is none. */
type ReadEvent = (position: EventPosition) => Effect.Effect<OutgoingEvent | undefined, StoreUnavailable>

/** Makes the functions that send the events of a webhook. Caches the events of the last batch. */
export const sendingOf = Effect.fnUntraced(function* (webhook: Webhook, read: ReadEvent) {
  const target = yield* targetOf(webhook)
  let recent: ReadonlyMap<EventPosition, OutgoingEvent> = new Map()
  let recentAt: EpochMillis = 0

  const remember = (events: ReadonlyArray<OutgoingEvent>, readAt: EpochMillis): void => {
    recent = new Map(events.map((event) => [event.position, event]))
    recentAt = readAt
  }

  const current = Effect.fnUntraced(
    function* (position: EventPosition) {
      const cached = recent.get(position)
      if (cached !== undefined && (yield* Clock.currentTimeMillis) - recentAt <= readAgainAfterMs)
        return cached
      return yield* read(position)
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

  return { remember, send }
})

export type Sending = Effect.Success<ReturnType<typeof sendingOf>>
