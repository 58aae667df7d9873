import { AttemptCursor } from "@inlethq/contract/values/Cursor"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageRequest } from "@inlethq/contract/values/Page"
import { Conflict, InvalidRequest } from "@inlethq/contract/access/Problem"
import { attemptDocument, AttemptDocument } from "@inlethq/contract/webhooks/Webhooks"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { Registry } from "@inlethq/core/ports/Registry"
import { readTime, toIso } from "@inlethq/core/values/Timestamp"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Clock, Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { deliver, targetOf } from "@inlethq/outbound/webhooks/deliver"
import { eventAt } from "@inlethq/outbound/webhooks/eventAt"
import { sampleEvent } from "@inlethq/outbound/webhooks/sampleEvent"
import { Webhooks } from "@inlethq/outbound/webhooks/Webhooks"
import { sendingTexts } from "@inlethq/outbound/sending/sendingTexts"
import { workspaceAt } from "../answers/lookup.ts"
import { pageAnswer } from "../answers/pageAnswer.ts"
import { note } from "../../audit/note.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { requestOf } from "./requestOf.ts"
import { shownTo } from "./shownUrl.ts"
import { shownAttempts } from "./shownAttempts.ts"
import { makeLookup } from "./webhookLookup.ts"
import { expectReachable } from "./webhookSettings.ts"

const answerAttempts = pageAnswer(attemptDocument, AttemptDocument, AttemptCursor)

export const webhookAttemptHandlers = HttpApiBuilder.group(
  ManagementApi,
  "webhookAttempts",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* WebhookStore
    const catalog = yield* Catalog
    const turns = yield* Turns
    const webhooks = yield* Webhooks
    const registry = yield* Registry
    const lookup = yield* makeLookup

    return handlers.handleAll({
      test: Effect.fn("management.webhookAttempts.test")(function* ({ params }) {
        return yield* sendSample(yield* lookup.webhook(params))
      }, orUnavailable),

      list: Effect.fn("management.webhookAttempts.attempts")(function* ({ params, query }) {
        const webhook = yield* lookup.webhook(params)
        const page = yield* store.attempts(webhook, query.status ?? null, pageRequest(query))
        return yield* answerAttempts(turns, {
          ...page,
          items: yield* shownAttempts({ catalog, store }, webhook, page.items),
        })
      }, orUnavailable),

      request: Effect.fn("management.webhookAttempts.request")(function* ({ params }) {
        const webhook = yield* lookup.webhook(params)
        const attempt = yield* lookup.attempt(webhook, params.attempt_id)
        const event = yield* eventAt(webhook, yield* workspaceAt(registry, params.w), attempt.position)
        if (event === undefined) return yield* new Conflict({ detail: sendingTexts.eventGone() })
        return requestOf(yield* shownTo(webhook), attempt, event)
      }, orUnavailable),

      resend: Effect.fn("management.webhookAttempts.resend")(
        function* ({ params }) {
          const webhook = yield* lookup.webhook(params)
          const attempt = yield* lookup.attempt(webhook, params.attempt_id)
          const record = yield* lookup.recordAt(webhook, attempt.position)
          if (Option.isNone(record) || record.value.isErased) {
            return yield* new Conflict({ detail: sendingTexts.eventGone() })
          }
          const now = yield* Clock.currentTimeMillis
          yield* store.sendAgain(webhook, { attempt, receivedAt: record.value.entry.receivedAt, now })
          yield* webhooks.changed(webhook)
        },
        Effect.uninterruptible,
        orUnavailable,
      ),

      skip: Effect.fn("management.webhookAttempts.skip")(
        function* ({ params }) {
          const webhook = yield* lookup.webhook(params)
          const attempt = yield* lookup.attempt(webhook, params.attempt_id)
          const skipped = yield* store.skip(webhook, attempt, yield* Clock.currentTimeMillis)
          if (!skipped) return yield* new Conflict({ detail: sendingTexts.notRetried() })
          yield* webhooks.changed(webhook)
        },
        Effect.uninterruptible,
        orUnavailable,
      ),

      recover: Effect.fn("management.webhookAttempts.recover")(
        function* ({ params, payload }) {
          const webhook = yield* lookup.webhook(params)
          const since = readTime(payload.since)
          if (since === undefined) return yield* new InvalidRequest({ detail: sendingTexts.wrongSince() })
          const events = yield* store.recover(webhook, since, yield* Clock.currentTimeMillis)
          yield* note({ details: { since: toIso(since), events } })
          yield* webhooks.changed(webhook)
          return { events }
        },
        Effect.uninterruptible,
        orUnavailable,
      ),
    })
  }),
)

/** Sends a sample event to the receiver of a webhook, and returns what came back. */
const sendSample = Effect.fnUntraced(function* (webhook: Webhook) {
  yield* expectReachable(webhook.url)
  const event = sampleEvent(webhook, yield* Clock.currentTimeMillis)
  const { durationMs, excerpt, failure, status } = yield* deliver(yield* targetOf(webhook), event)
  return {
    status: failure === null ? ("delivered" as const) : ("failed" as const),
    response_status: status,
    duration_ms: durationMs,
    response_excerpt: excerpt,
  }
})
