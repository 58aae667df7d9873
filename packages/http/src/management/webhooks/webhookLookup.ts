import { attemptKeyIn, webhookDocument } from "@inlet/api/management/Webhooks"
import { Catalog } from "@inlet/core/catalog/Catalog"
import { Registry } from "@inlet/core/ports/Registry"
import { WebhookStore, type WebhookKey } from "@inlet/core/ports/WebhookStore"
import { sequenceAt, type EventPosition } from "@inlet/core/webhook/EventPosition"
import type { Webhook } from "@inlet/core/webhook/Webhook"
import { Effect, Option } from "effect"
import { newestSequence } from "@inlet/api/log/newestSequence"
import { note } from "../../audit/note.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { foundOr404, workspaceAt } from "../answers/lookup.ts"

/** The largest number of webhooks for which `blockedHead` runs at the same time. */
const headsAtOnceMax = 8

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
    blockedHead,
    /** Returns the documents of the given webhooks, in the same order. */
    documents: (webhooks: ReadonlyArray<Webhook>) =>
      Effect.forEach(
        webhooks,
        (webhook) => Effect.map(blockedHead(webhook), (head) => webhookDocument(webhook, head)),
        { concurrency: headsAtOnceMax },
      ),
  }
})
