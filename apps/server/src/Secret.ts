import { hash, randomBytes, timingSafeEqual } from "node:crypto"
import { Effect } from "effect"

/** The number of random bytes in a secret. Contract §3 requires at least 20. */
const secretBytes = 24

/** Generates a secret. Secrets are in hex, so that URLs, headers and shells need no escaping. */
export const newSecret = Effect.sync(() => randomBytes(secretBytes).toString("hex"))

/** Generates a random public id, such as a site id. The id is unique but not secret. */
export const newPublicId = Effect.sync(() => randomBytes(10).toString("hex"))

/** Returns the SHA-256 digest of a secret in lower-case hex. The server stores the digest instead of the secret. */
export const digestOf = (secret: string): string => hash("sha256", secret, "hex")

/** Compares two digests in constant time. */
export const sameDigest = (a: string, b: string): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
