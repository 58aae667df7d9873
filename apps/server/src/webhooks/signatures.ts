import { createHmac, randomBytes } from "node:crypto"
import { Effect } from "effect"

const prefix = "whsec_"

/** Bytes of a new signing secret. Standard Webhooks requires 24 to 64. */
const secretBytes = 32

/** Generates a signing secret: `whsec_` and base64. */
export const newSigningSecret = Effect.sync(() => prefix + randomBytes(secretBytes).toString("base64"))

/** The request that is signed. */
export interface SignedRequest {
  /** The id of the event, the same at every attempt. */
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/**
 * Returns the headers that sign a request in two ways (contract §17). `X-CIO-Signature` is keyed with the text of the secret, and the
 * signature of Standard Webhooks with the bytes that it encodes. While a replaced secret is still valid, the former is made
 * with the replaced secret, and the latter has a signature for each secret.
 */
export const signatureHeaders = (
  { body, id, timestamp }: SignedRequest,
  secret: string,
  replaced: string | null,
): Readonly<Record<string, string>> => {
  const secrets = replaced === null ? [secret] : [secret, replaced]
  return {
    "x-cio-timestamp": String(timestamp),
    "x-cio-signature": createHmac("sha256", replaced ?? secret)
      .update(`v0:${timestamp}:${body}`)
      .digest("hex"),
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets
      .map((one) => `v1,${standardSignature(one, `${id}.${timestamp}.${body}`)}`)
      .join(" "),
  }
}

const standardSignature = (secret: string, content: string): string =>
  createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"))
    .update(content)
    .digest("base64")
