import { Catalog } from "@inlethq/core/catalog/Catalog"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { summariesCursor, type TypeName } from "@inlethq/core/ports/LogSummaries"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Sequence } from "@inlethq/core/values/Identifier"
import { secondMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { firstTriesKept } from "@inlethq/core/webhook/Attempt"
import type { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { heldEventsMax } from "@inlethq/core/webhook/DeliveryQueue"
import { sentAgain } from "@inlethq/core/webhook/HeldEvent"
import { retriedForMs } from "@inlethq/core/webhook/retryWait"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { Clock, Effect, Option } from "effect"
import type { ReadingSink } from "../follower/Destination.ts"
import { driftEventAt, driftEventsIn, silentEventsBetween, type DriftOutgoing } from "./driftEvents.ts"
import type { OutgoingEvent } from "./outgoingEvents.ts"
import { sendingOf } from "./sendingOf.ts"
import { webhookSender, type WebhookServices } from "./webhookSender.ts"

/** Between two looks at the summaries at least this many times as long passes as one took, and at least a second. */
const restFactor = 20
const restMsMin = secondMs

/** The time between two looks for names that became silent. It takes them at least a day. */
const silenceMs = 60 * secondMs

/** The newest attempts among which an event of a silent name is looked for. */
const newestAttempts = { limit: firstTriesKept, after: null, order: "desc" } as const

/** Loads a webhook of kind `types`. It reads the summaries instead of the log, as far as the log is summarized. */
export const driftSink = Effect.fnUntraced(function* (webhook: Webhook) {
  const services = yield* Effect.context<WebhookServices>()
  const trusted = yield* TrustedTime
  const names = new Map<EventPosition, ReadonlyArray<TypeName>>()
  const sending = yield* sendingOf(webhook, (position) =>
    Effect.flatMap(trusted, (now) =>
      Effect.provide(driftEventAt(webhook, position, now, names.get(position)), services),
    ),
  )
  const sender = yield* webhookSender(webhook, sending)
  const newestRead = cursorOf(webhook)
  let silentTo = yield* silentSince(webhook, sender.readFrom())
  let lookedAt = Number.NEGATIVE_INFINITY
  let restMs = 0

  /** Remembers which names events are about, so that sending them again reads no others. The oldest are forgotten. */
  const rememberNames = (events: ReadonlyArray<DriftOutgoing>): void => {
    for (const event of events) names.set(event.position, event.names)
    for (const position of names.keys()) {
      if (names.size <= heldEventsMax) break
      names.delete(position)
    }
  }

  /** Admits what the operations have changed that were summarized since. Returns whether there were none. */
  const admitDrift = Effect.gen(function* () {
    const after = sender.readFrom() ?? 0
    const to = yield* newestRead
    if (to === null || to <= after) return true
    const readAt = yield* Clock.currentTimeMillis
    const events = yield* driftEventsIn(webhook, { after, to })
    const now = yield* trusted
    const fresh = events.filter(({ receivedAt }) => now - receivedAt < retriedForMs)
    sending.remember(fresh, readAt)
    rememberNames(fresh)
    yield* sender.admit(fresh, to)
    return false
  })

  const holdSilent = Effect.gen(function* () {
    const now = yield* trusted
    if (now - lookedAt < silenceMs) return
    lookedAt = now
    const found = yield* silentEventsBetween(webhook, { after: silentTo, to: now })
    const events = found.slice(0, sender.heldRoom)
    rememberNames(events)
    const sendAt = yield* Clock.currentTimeMillis
    for (const event of yield* withoutSent(webhook, events)) {
      yield* sender.hold(sentAgain({ ...event, attempts: 0 }, sendAt))
    }
    if (events.length === found.length) silentTo = now
    else lookedAt = Number.NEGATIVE_INFINITY
  })

  return {
    settings: webhook,
    ready: Effect.suspend(() => Effect.andThen(Effect.sleep(restMs), sender.ready)),
    sendNext: Effect.gen(function* () {
      const began = yield* Clock.currentTimeMillis
      yield* holdSilent
      const isIdle = yield* admitDrift
      const took = (yield* Clock.currentTimeMillis) - began
      restMs = isIdle ? 0 : Math.max(restMsMin, took * restFactor)
      return isIdle
    }),
    progress: () => sender.progress(),
    run: () => sender.run(),
    stop: () => sender.stop(),
  } satisfies ReadingSink<Webhook, WebhookServices>
})

const cursorOf = ({ workspace }: Webhook) =>
  LogCursors.use((cursors) => cursors.position(summariesCursor(workspace)))

/** Names that became silent after this time are news: when the webhook last read the log, or was made. */
const silentSince = Effect.fnUntraced(function* (
  { createdAt, workspace }: Webhook,
  readFrom: Sequence | null,
): Effect.fn.Return<EpochMillis, StoreUnavailable, Catalog> {
  const catalog = yield* Catalog
  const record = readFrom === null ? Option.none() : yield* catalog.operation(workspace, readFrom)
  return Option.isNone(record) ? createdAt : Math.max(createdAt, record.value.entry.receivedAt)
})

/** Leaves out what was sent before a restart, after which a name is found to be silent again. */
const withoutSent = Effect.fnUntraced(function* (webhook: Webhook, events: ReadonlyArray<OutgoingEvent>) {
  if (events.length === 0) return events
  const { attempts } = yield* WebhookStore
  const page = yield* attempts(webhook, null, newestAttempts)
  const sent = new Set(page.items.map(({ position }) => position))
  return events.filter(({ position }) => !sent.has(position))
})
