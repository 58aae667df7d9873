import { hash, randomBytes, timingSafeEqual } from "node:crypto"
import { Effect } from "effect"

/** Random bytes of a secret (contract §3 asks for 20 at least). */
const secretBytes = 24

/** A new secret, in hex so that it needs no escaping anywhere. */
export const newSecret = Effect.sync(() => randomBytes(secretBytes).toString("hex"))

/** A new public name, which only has to be unique. */
export const newPublicId = Effect.sync(() => randomBytes(10).toString("hex"))

/** The SHA-256 of a secret in lower-case hex: all that is kept of it. */
export const digestOf = (secret: string): string => hash("sha256", secret, "hex")

/** Whether two digests are equal, in a time that does not tell where they differ. */
export const sameDigest = (a: string, b: string): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
