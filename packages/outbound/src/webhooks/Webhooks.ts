import { WebhookStore, type WebhookKey } from "@inlethq/core/ports/WebhookStore"
import { Webhook } from "@inlethq/core/webhook/Webhook"
import { Context, Effect, Layer, Option, Schedule } from "effect"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { whileFit } from "@inlethq/engine/whileFit"
import type { Destination } from "../follower/Destination.ts"
import { follow, type FollowerStatus } from "../follower/follow.ts"
import { registerMetrics } from "./webhookMetrics.ts"
import type { WebhookServices } from "./webhookSender.ts"
import { webhookSink } from "./webhookSink.ts"

/** The pause between two rounds that remove expired attempts, expired events and the data of removed webhooks. */
const pruneInterval = "1 minute"

/** Sends the events of all webhooks. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    /**
     * Loads a webhook again, with its current settings and undelivered events. Must be called after an operator changes
     * a webhook or sends its events again. The load begins when the attempts in progress have ended.
     */
    changed(key: WebhookKey): Effect.Effect<void>
    /** How far this node is with each enabled webhook. */
    readonly status: Effect.Effect<FollowerStatus>
  }
>()("@inlethq/outbound/webhooks/Webhooks") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const store = yield* WebhookStore
      yield* registerMetrics
      const { changed, status } = yield* follow(destination)

      const prune = Effect.gen(function* () {
        const now = yield* yield* TrustedTime
        yield* Effect.repeat(store.prune(now), { until: (isDone) => isDone })
      })
      yield* Effect.forkScoped(
        Effect.repeat(
          whileFit(prune).pipe(
            Effect.ignoreCause({ log: "Error", message: "records of webhooks could not be pruned" }),
          ),
          Schedule.spaced(pruneInterval),
        ),
      )
      return Webhooks.of({
        changed: ({ webhookId, workspace }) => changed({ workspace, id: webhookId }),
        status,
      })
    }),
  )
}

const destination: Destination<Webhook, WebhookServices> = {
  name: "webhook",
  title: "a webhook",
  settings: Webhook,
  feeds: Effect.map(
    WebhookStore.use((store) => store.all),
    (all) =>
      all
        .filter(({ enabled }) => enabled)
        .map((settings) => ({ workspace: settings.workspace, id: settings.webhookId, settings })),
  ),
  prepare: Effect.fnUntraced(function* ({ id, workspace }) {
    const store = yield* WebhookStore
    const webhook = yield* store.webhook({ workspace, webhookId: id ?? "" })
    if (Option.isNone(webhook) || !webhook.value.enabled) return Option.none()
    return yield* webhookSink(webhook.value)
  }),
}
