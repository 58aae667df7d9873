import type { ForwardedDocument } from "@inlethq/contract/activity/ForwardedDocument"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { deliveryKey, type Forward } from "@inlethq/core/forward/Forward"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { toIso } from "@inlethq/core/values/Timestamp"
import { eventPosition } from "@inlethq/core/webhook/EventPosition"
import { forwardedCalls, isErasingKind } from "@inlethq/log/call/forwardedCalls"
import type { Names } from "@inlethq/log/call/Draft"
import { choiceOf } from "@inlethq/outbound/forwards/choiceOf"
import { forwardTexts } from "@inlethq/outbound/forwards/forwardTexts"
import { Effect, Option } from "effect"

/** Says what became of an operation at each forward that was there when it arrived. */
export const makeForwardedTo = Effect.gen(function* () {
  const store = yield* ForwardStore
  const deliveries = yield* WebhookStore

  const stateAt = Effect.fnUntraced(function* (forward: Forward, record: ActivityRecord, names: Names) {
    const { entry, isErased } = record
    const common = { forward_id: forward.forwardId, name: forward.name, reason: null }
    const none = { attempts: 0, at: null, response_status: null, response_excerpt: null }
    const position = eventPosition(entry.sequence, 0)
    const attempt = yield* deliveries.newestAt(deliveryKey(forward), position)
    if (Option.isSome(attempt)) {
      const { at, number, responseExcerpt, responseStatus, status } = attempt.value
      return {
        ...common,
        state: status,
        attempts: number,
        at: toIso(at),
        response_status: responseStatus,
        response_excerpt: isErased ? null : responseExcerpt,
      }
    }
    const isChosen = yield* choiceOf(forward)
    const reason = isChosen(record) ? whyUnsaid(record, names, forward) : forwardTexts.notChosen()
    if (reason !== null) return { ...common, ...none, state: "not_sent" as const, reason }
    const progress = yield* deliveries.progress(deliveryKey(forward))
    const state = progress.position >= position ? ("delivered" as const) : ("waiting" as const)
    return { ...common, ...none, state }
  })

  return Effect.fnUntraced(function* (record: ActivityRecord, names: Names) {
    const all = yield* store.forwards(record.entry.workspace)
    const there = all.filter(({ createdAt }) => createdAt <= record.entry.receivedAt)
    return yield* Effect.forEach(there, (forward): Effect.Effect<ForwardedDocument, StoreUnavailable> =>
      stateAt(forward, record, names),
    )
  })
})

/** Why the API of a receiver has no call for an operation, or null if it has one. */
const whyUnsaid = (record: ActivityRecord, names: Names, { as, to }: Forward): string | null => {
  if (isErasingKind(record.entry.kind)) return null
  const calls = forwardedCalls(record, names, { to, as, installation: "", digest: (text) => text }, null)
  if (typeof calls !== "string" && calls.length > 0) return null
  return calls === "erased" ? forwardTexts.erased() : forwardTexts.unsaid()
}
