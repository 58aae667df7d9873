import { Conflict, InvalidRequest } from "@inlethq/contract/access/Problem"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { AttemptCursor } from "@inlethq/contract/values/Cursor"
import { pageRequest } from "@inlethq/contract/values/Page"
import { attemptDocument, AttemptDocument } from "@inlethq/contract/webhooks/Webhooks"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { deliveryKey, type Forward } from "@inlethq/core/forward/Forward"
import { installationOf, passageName } from "@inlethq/core/forward/passage"
import { Digest } from "@inlethq/core/ports/Digest"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { readTime, toIso } from "@inlethq/core/values/Timestamp"
import { sequenceAt } from "@inlethq/core/webhook/EventPosition"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Forwards } from "@inlethq/outbound/forwards/Forwards"
import { postBatch } from "@inlethq/outbound/forwards/postBatch"
import { targetOf } from "@inlethq/outbound/forwards/targetOf"
import { sendingTexts } from "@inlethq/outbound/sending/sendingTexts"
import { Clock, Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { note } from "../../audit/note.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { pageAnswer } from "../answers/pageAnswer.ts"
import { shownAttempts } from "../webhooks/shownAttempts.ts"
import { expectReachable } from "../webhooks/webhookSettings.ts"
import { makeForwardLookup } from "./forwardLookup.ts"

const answerAttempts = pageAnswer(attemptDocument, AttemptDocument, AttemptCursor)

export const forwardAttemptHandlers = HttpApiBuilder.group(
  ManagementApi,
  "forwardAttempts",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* WebhookStore
    const catalog = yield* Catalog
    const turns = yield* Turns
    const forwards = yield* Forwards
    const lookup = yield* makeForwardLookup

    return handlers.handleAll({
      test: Effect.fn("management.forwardAttempts.test")(function* ({ params }) {
        return yield* sendNothing(yield* lookup.forward(params))
      }, orUnavailable),

      list: Effect.fn("management.forwardAttempts.list")(function* ({ params, query }) {
        const key = deliveryKey(yield* lookup.forward(params))
        const page = yield* store.attempts(key, query.status ?? null, pageRequest(query))
        const items = yield* shownAttempts({ catalog, store }, key, page.items)
        return yield* answerAttempts(turns, { ...page, items })
      }, orUnavailable),

      resend: Effect.fn("management.forwardAttempts.resend")(
        function* ({ params }) {
          const forward = yield* lookup.forward(params)
          const attempt = yield* lookup.attempt(forward, params.attempt_id)
          const sequence = sequenceAt(attempt.position)
          const record =
            sequence === null ? Option.none() : yield* catalog.operation(forward.workspace, sequence)
          if (Option.isNone(record)) return yield* new Conflict({ detail: sendingTexts.eventGone() })
          const now = yield* Clock.currentTimeMillis
          const { receivedAt } = record.value.entry
          yield* store.sendAgain(deliveryKey(forward), { attempt, receivedAt, now })
          yield* forwards.changed(forward)
        },
        Effect.uninterruptible,
        orUnavailable,
      ),

      skip: Effect.fn("management.forwardAttempts.skip")(
        function* ({ params }) {
          const forward = yield* lookup.forward(params)
          const attempt = yield* lookup.attempt(forward, params.attempt_id)
          const skipped = yield* store.skip(deliveryKey(forward), attempt, yield* Clock.currentTimeMillis)
          if (!skipped) return yield* new Conflict({ detail: sendingTexts.notRetried() })
          yield* forwards.changed(forward)
        },
        Effect.uninterruptible,
        orUnavailable,
      ),

      recover: Effect.fn("management.forwardAttempts.recover")(
        function* ({ params, payload }) {
          const forward = yield* lookup.forward(params)
          const since = readTime(payload.since)
          if (since === undefined) return yield* new InvalidRequest({ detail: sendingTexts.wrongSince() })
          const now = yield* Clock.currentTimeMillis
          const operations = yield* store.recover(deliveryKey(forward), since, now)
          yield* note({ details: { since: toIso(since), operations } })
          yield* forwards.changed(forward)
          return { operations }
        },
        Effect.uninterruptible,
        orUnavailable,
      ),
    })
  }),
)

/** Sends an empty batch, which changes nothing at the receiver, and returns what came back. */
const sendNothing = Effect.fnUntraced(function* (forward: Forward) {
  yield* expectReachable(forward.url)
  const name = passageName(installationOf((yield* Digest).of), forward.workspace)
  const { durationMs, excerpt, failure, status } = yield* postBatch(yield* targetOf(forward), [], [name])
  return {
    status: failure === null ? ("delivered" as const) : ("failed" as const),
    response_status: status,
    duration_ms: durationMs,
    response_excerpt: excerpt,
  }
})
