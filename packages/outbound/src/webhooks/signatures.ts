import { createHmac, randomBytes } from "node:crypto"
import { Effect } from "effect"

const prefix = "whsec_"

/** The number of random bytes in a new signing secret. Standard Webhooks requires 24 to 64 bytes. */
const secretBytes = 32

/** Generates a signing secret: the prefix `whsec_` and random bytes in base64. */
export const newSigningSecret = Effect.sync(() => prefix + randomBytes(secretBytes).toString("base64"))

/** The request to sign. */
export interface SignedRequest {
  /** The id of the event. The id is the same at every attempt. */
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/**
 * Returns the headers that sign a request in two ways (contract §17). The key of `X-CIO-Signature` is the text of the
 * secret. The key of the Standard Webhooks signature consists of the bytes that the secret encodes. While a replaced
 * secret is still valid, `X-CIO-Signature` is made with the replaced secret, and `webhook-signature` contains a
 * signature for each secret.
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
