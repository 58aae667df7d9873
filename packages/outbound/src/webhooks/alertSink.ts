import { Catalog } from "@inlethq/core/catalog/Catalog"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { Sequence } from "@inlethq/core/values/Identifier"
import { secondMs } from "@inlethq/core/values/Timestamp"
import type { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { sentAgain } from "@inlethq/core/webhook/HeldEvent"
import { retriedForMs } from "@inlethq/core/webhook/retryWait"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { newestSequence } from "@inlethq/log/reading/newestSequence"
import { Clock, Effect, Option } from "effect"
import type { ReadingSink } from "../follower/Destination.ts"
import { alertEventAt, alertEvents, type MarkedEvent } from "./alertEvents.ts"
import { sendingOf } from "./sendingOf.ts"
import { webhookSender, type WebhookServices } from "./webhookSender.ts"

/** The pause between two looks at the alerts. */
const lookMs = secondMs

/** Loads a webhook of kind `alerts`. It reads the alerts of its workspace instead of the log. */
export const alertSink = Effect.fnUntraced(function* (webhook: Webhook) {
  const services = yield* Effect.context<WebhookServices>()
  const trusted = yield* TrustedTime
  const catalog = yield* Catalog
  const sending = yield* sendingOf(webhook, (position) =>
    Effect.provide(alertEventAt(webhook, position), services),
  )
  const sender = yield* webhookSender(webhook, sending)
  const told = new Set<EventPosition>()

  /**
   * An alert that began while the log moved on may stand before what was passed. It is sent all the same, unless it was
   * before this node began to send.
   */
  const holdPassed = Effect.fnUntraced(function* (event: MarkedEvent) {
    if (event.receivedAt < webhook.createdAt || (yield* wasSent(webhook, event.position))) return true
    if (sender.heldRoom === 0) return false
    yield* sender.hold(sentAgain({ ...event, attempts: 0 }, yield* Clock.currentTimeMillis))
    return true
  })

  const admitAlerts = Effect.gen(function* () {
    const newest = yield* newestSequence(catalog, webhook.workspace)
    const passed = sender.readFrom() ?? 0
    const now = yield* trusted
    const readAt = yield* Clock.currentTimeMillis
    const events = (yield* alertEvents(webhook)).filter(
      ({ position, receivedAt }) => !told.has(position) && now - receivedAt < retriedForMs,
    )
    for (const event of events) {
      if (event.mark <= passed && (yield* holdPassed(event))) told.add(event.position)
    }
    const fresh = events.filter(({ mark }) => mark > passed)
    sending.remember(fresh, readAt)
    const to = fresh.reduce((last, { mark }) => Math.max(last, mark), newest ?? 0)
    yield* sender.admit(fresh, to === 0 ? null : Sequence.make(to))
    for (const { position } of fresh) told.add(position)
  })

  return {
    settings: webhook,
    ready: Effect.andThen(Effect.sleep(lookMs), sender.ready),
    sendNext: Effect.as(admitAlerts, true),
    progress: () => sender.progress(),
    run: () => sender.run(),
    stop: () => sender.stop(),
  } satisfies ReadingSink<Webhook, WebhookServices>
})

const wasSent = (webhook: Webhook, position: EventPosition) =>
  WebhookStore.use((store) => Effect.map(store.newestAt(webhook, position), Option.isSome))
