import type { WebhookPlace } from "@inlethq/contract/values/Cursor"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageRequest } from "@inlethq/contract/values/Page"
import { Conflict } from "@inlethq/contract/access/Problem"
import { overlapSecondsDefault, webhookDocument, type NewWebhook } from "@inlethq/contract/webhooks/Webhooks"
import { Registry } from "@inlethq/core/ports/Registry"
import { WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { secondMs } from "@inlethq/core/values/Timestamp"
import { endOfEntry } from "@inlethq/core/webhook/EventPosition"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { newPublicId } from "../../credentials/Secret.ts"
import { secretOwner } from "@inlethq/outbound/webhooks/deliver"
import { SecretBox } from "@inlethq/outbound/SecretBox"
import { newSigningSecret } from "@inlethq/outbound/webhooks/signatures"
import { Webhooks } from "@inlethq/outbound/webhooks/Webhooks"
import { listPage } from "../answers/listPage.ts"
import { workspaceAt } from "../answers/lookup.ts"
import { auditChanges } from "../../audit/auditChanges.ts"
import { note } from "../../audit/note.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { retryIfChanged } from "../answers/retryIfChanged.ts"
import { makeLookup, noWebhook } from "./webhookLookup.ts"
import { checkedSettings, expectReachable } from "./webhookSettings.ts"

export const webhookHandlers = HttpApiBuilder.group(
  ManagementApi,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* WebhookStore
    const registry = yield* Registry
    const webhooks = yield* Webhooks
    const lookup = yield* makeLookup

    return handlers.handleAll({
      list: Effect.fn("management.webhooks.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const all = (yield* store.webhooks(workspace.id)).toSorted(byCreation)
        const { items, next } = listPage(all, placeOf, isBefore, pageRequest(query))
        return { items: yield* lookup.documents(items), next }
      }, orUnavailable),

      create: Effect.fn("management.webhooks.create")(
        function* ({ params, payload }) {
          const workspace = yield* workspaceAt(registry, params.w)
          const { secret, webhook } = yield* newWebhook(workspace.id, payload)
          yield* store.create(webhook, endOfEntry(yield* lookup.newest(workspace.id)))
          yield* note({ target: { id: webhook.webhookId, name: webhook.name } })
          yield* webhooks.changed(webhook)
          return { ...webhookDocument(webhook), signing_secret: secret }
        },
        Effect.catchTag("TooManyWebhooks", ({ message }) => Effect.fail(new Conflict({ detail: message }))),
        Effect.uninterruptible,
        orUnavailable,
      ),

      get: Effect.fn("management.webhooks.get")(function* ({ params }) {
        return yield* lookup.document(yield* lookup.webhook(params))
      }, orUnavailable),

      update: Effect.fn("management.webhooks.update")(
        function* ({ params, payload }) {
          const webhook = yield* lookup.webhook(params)
          const settings = yield* checkedSettings(payload, webhook)
          if (settings.url !== webhook.url) yield* expectReachable(settings.url)
          const updatedAt = Math.max(webhook.updatedAt + 1, yield* Clock.currentTimeMillis)
          const changed: Webhook = { ...webhook, ...settings, updatedAt }
          yield* note({ changes: changesBetween(webhook, changed) })
          yield* store.update(webhook, changed)
          yield* webhooks.changed(webhook)
          return yield* lookup.document(changed)
        },
        retryIfChanged,
        Effect.uninterruptible,
        orUnavailable,
      ),

      delete: Effect.fn("management.webhooks.delete")(
        function* ({ params }) {
          const webhook = yield* lookup.webhook(params)
          if (!(yield* store.remove(webhook))) return yield* noWebhook
          yield* webhooks.changed(webhook)
        },
        Effect.uninterruptible,
        orUnavailable,
      ),

      rotateSecret: Effect.fn("management.webhooks.rotateSecret")(
        function* ({ params, payload }) {
          const webhook = yield* lookup.webhook(params)
          const overlapMs = (payload?.overlap_seconds ?? overlapSecondsDefault) * secondMs
          yield* note({ details: { overlap_seconds: overlapMs / secondMs } })
          const { rotated, secret } = yield* withNewSecret(webhook, overlapMs)
          yield* store.update(webhook, rotated)
          yield* webhooks.changed(webhook)
          return { ...(yield* lookup.document(rotated)), signing_secret: secret }
        },
        retryIfChanged,
        Effect.uninterruptible,
        orUnavailable,
      ),
    })
  }),
)

/** Returns a new webhook and its secret. Fails if a setting is invalid. */
const newWebhook = Effect.fnUntraced(function* (workspace: WorkspaceId, given: NewWebhook) {
  const box = yield* SecretBox
  const settings = yield* checkedSettings(given, null)
  yield* expectReachable(settings.url)
  const now = yield* Clock.currentTimeMillis
  const key = { workspace, webhookId: yield* newPublicId }
  const secret = yield* newSigningSecret
  const webhook: Webhook = {
    ...settings,
    ...key,
    sealedSecret: yield* box.seal(secret, secretOwner(key)),
    replacedSecret: null,
    createdAt: now,
    updatedAt: now,
  }
  return { webhook, secret }
})

/** Returns a webhook with a new secret. The old secret stays valid for `overlapMs` milliseconds. */
const withNewSecret = Effect.fnUntraced(function* (webhook: Webhook, overlapMs: number) {
  const box = yield* SecretBox
  const now = yield* Clock.currentTimeMillis
  const secret = yield* newSigningSecret
  const rotated: Webhook = {
    ...webhook,
    sealedSecret: yield* box.seal(secret, secretOwner(webhook)),
    replacedSecret: overlapMs > 0 ? { sealed: webhook.sealedSecret, until: now + overlapMs } : null,
    updatedAt: Math.max(webhook.updatedAt + 1, now),
  }
  return { rotated, secret }
})

/** A URL may contain a token of its receiver, and a filter the identifiers of people. */
const unshownSettings = new Set(["url", "filter"])

const changesBetween = (before: Webhook, after: Webhook) =>
  auditChanges(auditedSettings(before), auditedSettings(after), unshownSettings)

const auditedSettings = (webhook: Webhook) => {
  const {
    blocked_by: _1,
    created_at: _2,
    updated_at: _3,
    waiting: _4,
    ...settings
  } = webhookDocument(webhook)
  return settings
}

export const placeOf = ({ createdAt, webhookId }: WebhookPlace): WebhookPlace => ({ createdAt, webhookId })

const byCreation = (a: Webhook, b: Webhook): number => (isBefore(placeOf(a), placeOf(b)) ? -1 : 1)

export const isBefore = (a: WebhookPlace, b: WebhookPlace): boolean =>
  a.createdAt === b.createdAt ? a.webhookId < b.webhookId : a.createdAt < b.createdAt
