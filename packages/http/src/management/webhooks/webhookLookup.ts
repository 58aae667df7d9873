import { attemptKeyIn, webhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { NotFound } from "@inlethq/contract/access/Problem"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Registry } from "@inlethq/core/ports/Registry"
import { WebhookStore, type WebhookKey } from "@inlethq/core/ports/WebhookStore"
import { heldEventsMax } from "@inlethq/core/webhook/DeliveryQueue"
import { lastCompleteEntry, sequenceAt, type EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Effect, Option } from "effect"
import { newestSequence } from "@inlethq/log/reading/newestSequence"
import { note } from "../../audit/note.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { shownTo } from "./shownUrl.ts"
import { foundOr404, workspaceAt } from "../answers/lookup.ts"

/** The largest number of webhooks whose progress is read at the same time. */
const webhooksAtOnceMax = 8

/** Somebody else has deleted the webhook. */
export const noWebhook = Effect.fail(new NotFound({ detail: problemTexts.notFound({ thing: "webhook" }) }))

/**
 * Makes functions that find the webhook or the attempt in the path of a request, and note them for the audit log.
 */
export const makeLookup = Effect.gen(function* () {
  const store = yield* WebhookStore
  const catalog = yield* Catalog
  const registry = yield* Registry

  const recordAt = (webhook: WebhookKey, position: EventPosition) => {
    const sequence = sequenceAt(position)
    return sequence === null ? Effect.succeedNone : catalog.operation(webhook.workspace, sequence)
  }

  /**
   * Returns the event that blocks a webhook with strict ordering: the oldest event that waits for a retry. Returns null
   * if no event blocks the webhook.
   */
  const blockedHead = Effect.fnUntraced(function* (webhook: Webhook) {
    const [head] = webhook.ordering === "strict" ? yield* store.held(webhook, 1) : []
    const sequence = head === undefined ? null : sequenceAt(head.position)
    if (head === undefined || !head.isInOrder || sequence === null) return null
    const record = yield* recordAt(webhook, head.position)
    const batchIndex = Option.isSome(record) ? record.value.entry.batchIndex : null
    const { attempts, nextAt, receivedAt } = head
    return { sequence, batchIndex, attempts, nextAt, receivedAt }
  })

  /** Returns how far a webhook is in a log with this newest entry. */
  const progressOf = Effect.fnUntraced(function* (webhook: Webhook, newest: Sequence | null) {
    const [held, progress, head] = yield* Effect.all([
      store.held(webhook, heldEventsMax),
      store.progress(webhook),
      blockedHead(webhook),
    ])
    const readTo = lastCompleteEntry(progress.position) ?? 0
    return { head, waiting: { events: held.length, entries: Math.max(0, (newest ?? 0) - readTo) } }
  })

  return {
    newest: (workspace: WebhookKey["workspace"]) => newestSequence(catalog, workspace),
    recordAt,
    webhook: Effect.fnUntraced(function* (params: {
      readonly w: WebhookKey["workspace"]
      readonly webhook_id: string
    }) {
      const workspace = yield* workspaceAt(registry, params.w)
      const found = yield* store.webhook({ workspace: workspace.id, webhookId: params.webhook_id })
      const webhook = yield* foundOr404(found, problemTexts.notFound({ thing: "webhook" }))
      yield* note({ target: { id: webhook.webhookId, name: webhook.name } })
      return webhook
    }),
    attempt: Effect.fnUntraced(function* (webhook: Webhook, attemptId: string) {
      const key = attemptKeyIn(attemptId)
      const found = key === undefined ? Option.none() : yield* store.attempt(webhook, key)
      const attempt = yield* foundOr404(found, problemTexts.notFound({ thing: "attempt" }))
      yield* note({ details: { attempt_id: attemptId, operation_id: attempt.operationId } })
      return attempt
    }),
    /** Returns the documents of webhooks of one workspace, in the same order. */
    documents: Effect.fnUntraced(function* (webhooks: ReadonlyArray<Webhook>) {
      const [first] = webhooks
      const newest = first === undefined ? null : yield* newestSequence(catalog, first.workspace)
      return yield* Effect.forEach(
        webhooks,
        (webhook) => Effect.zipWith(shownTo(webhook), progressOf(webhook, newest), webhookDocument),
        { concurrency: webhooksAtOnceMax },
      )
    }),
    document: Effect.fnUntraced(function* (webhook: Webhook) {
      const newest = yield* newestSequence(catalog, webhook.workspace)
      return webhookDocument(yield* shownTo(webhook), yield* progressOf(webhook, newest))
    }),
  }
})
