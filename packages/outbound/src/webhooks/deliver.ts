import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { secondMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Effect } from "effect"
import { SecretBox } from "../SecretBox.ts"
import type { Delivered } from "../sending/Delivered.ts"
import { Sender } from "../sending/Sender.ts"
import { signatureHeaders } from "./signatures.ts"

/**
 * Returns the `owner` argument with which `SecretBox` encrypts and decrypts the secrets of a webhook. It is different
 * for every webhook, so the secret of one webhook cannot be decrypted as the secret of another.
 */
export const secretOwner = ({ webhookId, workspace }: Pick<Webhook, "webhookId" | "workspace">): string =>
  `${workspace}:${webhookId}`

/** The URL to which the events of a webhook are sent, and the decrypted secrets that sign these events. */
export interface Target {
  readonly url: URL
  readonly secret: string
  readonly replaced: { readonly secret: string; readonly until: EpochMillis } | null
}

/** Returns the target of a webhook, with decrypted secrets. The target can be used for any number of events. */
export const targetOf = Effect.fnUntraced(function* (webhook: Webhook) {
  const box = yield* SecretBox
  const { replacedSecret, sealedSecret, url } = webhook
  const owner = secretOwner(webhook)
  const secret = yield* box.open(sealedSecret, owner)
  const replaced =
    replacedSecret === null
      ? null
      : { secret: yield* box.open(replacedSecret.sealed, owner), until: replacedSecret.until }
  return { url: new URL(url), secret, replaced } satisfies Target
})

/** Signs an event and sends it once. */
export const deliver = Effect.fnUntraced(function* (
  { replaced, secret, url }: Target,
  { body, eventId }: { readonly body: string; readonly eventId: string },
) {
  const sender = yield* Sender
  const now = yield* Clock.currentTimeMillis
  const request = { id: eventId, timestamp: Math.floor(now / secondMs), body }
  const valid = replaced !== null && now < replaced.until ? replaced.secret : null
  const headers = signatureHeaders(request, secret, valid)
  const result = yield* sender.send({ url, headers, body }, now)
  return { ...result, durationMs: (yield* Clock.currentTimeMillis) - now } satisfies Delivered
})
