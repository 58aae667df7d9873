import { Registry } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Effect, Option } from "effect"
import type { BatchSink, Sink } from "../follower/Destination.ts"
import { alertSink } from "./alertSink.ts"
import { driftSink } from "./driftSink.ts"
import { webhookEvents } from "./webhookEvents.ts"
import { webhookSender, type WebhookServices } from "./webhookSender.ts"

/** Loads the state of a webhook, and what reads its events. Returns an empty option if the workspace does not exist. */
export const webhookSink = Effect.fnUntraced(function* (
  webhook: Webhook,
): Effect.fn.Return<Option.Option<Sink<Webhook, WebhookServices>>, StoreUnavailable, WebhookServices> {
  const workspace = yield* Registry.use((registry) => registry.workspace(webhook.workspace))
  if (Option.isNone(workspace)) return Option.none()
  if (webhook.kind === "alerts") return Option.some(yield* alertSink(webhook))
  if (webhook.kind === "types") return Option.some(yield* driftSink(webhook))
  const events = yield* webhookEvents(webhook, workspace.value)
  const sender = yield* webhookSender(webhook, events)
  const sink: BatchSink<Webhook, WebhookServices> = {
    settings: webhook,
    filter: events.filter,
    pagesMax: 1,
    ready: sender.ready,
    readFrom: () => sender.readFrom(),
    progress: () => sender.progress(),
    send: Effect.fnUntraced(function* (batch) {
      yield* sender.admit(yield* events.eventsIn(batch), batch.to)
    }),
    run: () => sender.run(),
    stop: () => sender.stop(),
  }
  return Option.some(sink)
})
