import type { Webhook } from "@inlet/core/webhook/Webhook"
import { secondMs } from "@inlet/core/values/Timestamp"
import { Clock, Effect } from "effect"
import { SecretBox } from "./SecretBox.ts"
import { Sender, type SendResult } from "./Sender.ts"
import { signatureHeaders } from "./signatures.ts"

/** The result of sending an event, and how long it took. */
export interface Delivered extends SendResult {
  readonly durationMs: number
}

/** Returns the text that is bound to the secrets of a webhook when they are encrypted. */
export const secretOwner = ({ webhookId, workspace }: Pick<Webhook, "webhookId" | "workspace">): string =>
  `${workspace}:${webhookId}`

/** Signs an event and sends it once. */
export const deliver = Effect.fnUntraced(function* (
  webhook: Webhook,
  { body, eventId }: { readonly body: string; readonly eventId: string },
) {
  const box = yield* SecretBox
  const sender = yield* Sender
  const now = yield* Clock.currentTimeMillis
  const { replacedSecret } = webhook
  const owner = secretOwner(webhook)
  const replaced =
    replacedSecret === null || replacedSecret.until <= now
      ? null
      : yield* box.open(replacedSecret.sealed, owner)
  const secret = yield* box.open(webhook.sealedSecret, owner)
  const request = { id: eventId, timestamp: Math.floor(now / secondMs), body }
  const headers = signatureHeaders(request, secret, replaced)
  const result = yield* sender.send({ url: new URL(webhook.url), headers, body }, now)
  return { ...result, durationMs: (yield* Clock.currentTimeMillis) - now } satisfies Delivered
})
