import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from "node:crypto"
import type { Digest } from "@inlethq/core/ports/Digest"

/** What comes before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex")

/**
 * Returns the Ed25519 key with which an installation signs receipts. It is derived from the digest key, so it is as
 * secret, is in each backup and copy, and never changes. Digests of workspaces begin with a number, so none of them is the
 * same.
 */
export const receiptKey = (digest: Digest["Service"]): KeyObject => {
  const seed = createHash("sha256").update(digest.of("key of erasure receipts")).digest()
  return createPrivateKey({ key: Buffer.concat([pkcs8, seed]), format: "der", type: "pkcs8" })
}

/** Returns the public key as PEM. */
export const publicPem = (key: KeyObject): string =>
  createPublicKey(key).export({ type: "spki", format: "pem" }).toString()

/** Returns the Ed25519 signature of a text, in base64. */
export const signatureOf = (key: KeyObject, text: string): string =>
  sign(null, Buffer.from(text), key).toString("base64")
