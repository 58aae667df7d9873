import { hash, randomBytes, timingSafeEqual } from "node:crypto"
import { Effect } from "effect"

/** Random bytes in a secret. Contract §3 requires at least 20. */
const secretBytes = 24

/** Generates a secret. It is in hex, so it needs no escaping in URLs, headers or shells. */
export const newSecret = Effect.sync(() => randomBytes(secretBytes).toString("hex"))

/** Generates a random public id, such as a site id. It is unique but not secret. */
export const newPublicId = Effect.sync(() => randomBytes(10).toString("hex"))

/** Returns the SHA-256 of a secret in lower-case hex, which is stored in place of the secret. */
export const digestOf = (secret: string): string => hash("sha256", secret, "hex")

/** Compares two digests in constant time. */
export const sameDigest = (a: string, b: string): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
