import { NotFound } from "@inlethq/contract/access/Problem"
import { forwardDocument } from "@inlethq/contract/webhooks/Forwards"
import { attemptKeyIn, nothingWaiting } from "@inlethq/contract/webhooks/Webhooks"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { deliveryKey, type Forward } from "@inlethq/core/forward/Forward"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { Registry } from "@inlethq/core/ports/Registry"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { heldEventsMax } from "@inlethq/core/webhook/DeliveryQueue"
import { lastCompleteEntry, sequenceAt } from "@inlethq/core/webhook/EventPosition"
import type { HeldEvent } from "@inlethq/core/webhook/HeldEvent"
import { newestSequence } from "@inlethq/log/reading/newestSequence"
import { Effect, Option } from "effect"
import { note } from "../../audit/note.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { shownAttempts } from "../webhooks/shownAttempts.ts"
import { foundOr404, workspaceAt } from "../answers/lookup.ts"

/** Somebody else has deleted the forward. */
export const noForward = Effect.fail(new NotFound({ detail: problemTexts.notFound({ thing: "forward" }) }))

const newestAttempt = { limit: 1, after: null, order: "desc" } as const

/** Makes functions that find the forward or the attempt in the path of a request, and note them for the audit log. */
export const makeForwardLookup = Effect.gen(function* () {
  const store = yield* ForwardStore
  const deliveries = yield* WebhookStore
  const catalog = yield* Catalog
  const registry = yield* Registry

  const headOf = Effect.fnUntraced(function* ({ workspace }: Forward, head: HeldEvent | undefined) {
    const sequence = head === undefined ? null : sequenceAt(head.position)
    if (head === undefined || !head.isInOrder || sequence === null) return null
    const record = yield* catalog.operation(workspace, sequence)
    const batchIndex = Option.isSome(record) ? record.value.entry.batchIndex : null
    const { attempts, nextAt, receivedAt } = head
    return { sequence, batchIndex, attempts, nextAt, receivedAt }
  })

  const documentAt = Effect.fnUntraced(function* (forward: Forward, newest: Sequence | null) {
    const key = deliveryKey(forward)
    const held = yield* deliveries.held(key, heldEventsMax)
    const progress = yield* deliveries.progress(key)
    const newestOnes = (yield* deliveries.attempts(key, null, newestAttempt)).items
    const [last] = yield* shownAttempts({ catalog, store: deliveries }, key, newestOnes)
    const isFailing = last?.status === "retrying" || last?.status === "failed"
    const status = last?.responseStatus == null ? "" : `${last.responseStatus} `
    const entries = Math.max(0, (newest ?? 0) - (lastCompleteEntry(progress.position) ?? 0))
    return forwardDocument(
      forward,
      { head: yield* headOf(forward, held[0]), waiting: { events: held.length, entries } },
      isFailing ? `${status}${last.responseExcerpt ?? ""}`.trim() : null,
    )
  })

  const newest = (workspace: WorkspaceId) => newestSequence(catalog, workspace)

  return {
    newest,
    forward: Effect.fnUntraced(function* (params: { readonly w: WorkspaceId; readonly forward_id: string }) {
      const workspace = yield* workspaceAt(registry, params.w)
      const found = yield* store.forward({ workspace: workspace.id, forwardId: params.forward_id })
      const forward = yield* foundOr404(found, problemTexts.notFound({ thing: "forward" }))
      yield* note({ target: { id: forward.forwardId, name: forward.name } })
      return forward
    }),
    attempt: Effect.fnUntraced(function* (forward: Forward, attemptId: string) {
      const key = attemptKeyIn(attemptId)
      const found = key === undefined ? Option.none() : yield* deliveries.attempt(deliveryKey(forward), key)
      const attempt = yield* foundOr404(found, problemTexts.notFound({ thing: "attempt" }))
      yield* note({ details: { attempt_id: attemptId, operation_id: attempt.operationId } })
      return attempt
    }),
    documents: Effect.fnUntraced(function* (workspace: WorkspaceId, forwards: ReadonlyArray<Forward>) {
      const end = forwards.length === 0 ? null : yield* newest(workspace)
      return yield* Effect.forEach(forwards, (forward) => documentAt(forward, end))
    }),
    document: Effect.fnUntraced(function* (forward: Forward) {
      return yield* documentAt(forward, yield* newest(forward.workspace))
    }),
    /** Returns the document of a forward that has sent nothing yet. */
    newDocument: (forward: Forward) => forwardDocument(forward, nothingWaiting, null),
  }
})
