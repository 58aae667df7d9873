import { hash, randomBytes, timingSafeEqual } from "node:crypto"
import { Effect } from "effect"

/** The number of random bytes in a secret. Contract §3 requires at least 20. */
const secretBytes = 24

/** Generates a secret. Secrets are in hex, so that URLs, headers and shells need no escaping. */
export const newSecret = Effect.sync(() => randomBytes(secretBytes).toString("hex"))

/**
 * How many characters at the start of a secret are stored and shown, so that operators recognise a key, by the least
 * length of the secret. In hex, the rest of a generated secret is the 20 random bytes of contract §3. Of a shorter secret,
 * which an operator chose, less is shown.
 */
const shownOf = [
  { lengthMin: 48, shown: 8 },
  { lengthMin: 24, shown: 4 },
] as const

/** Returns the start of a secret. Returns null if the secret is too short to show a part of it. */
const prefixOf = (secret: string): string | null => {
  const found = shownOf.find(({ lengthMin }) => secret.length >= lengthMin)
  return found === undefined ? null : secret.slice(0, found.shown)
}

/** The number of random bytes in an app key. Clients of the hosted service expect 32 hex characters. */
const appSecretBytes = 16

/** Generates the secret of an app key, in hex. */
export const newAppSecret = Effect.sync(() => randomBytes(appSecretBytes).toString("hex"))

/** Generates a random public id, such as a site id. The id is unique but not secret. */
export const newPublicId = Effect.sync(() => randomBytes(10).toString("hex"))

/** Returns the SHA-256 digest of a secret in lower-case hex. The server stores the digest instead of the secret. */
export const digestOf = (secret: string): string => hash("sha256", secret, "hex")

/** Returns what is stored of a secret. */
export const storedSecret = (
  secret: string,
): { readonly digest: string; readonly prefix: string | null } => ({
  digest: digestOf(secret),
  prefix: prefixOf(secret),
})

/** Compares two digests in constant time. */
export const sameDigest = (a: string, b: string): boolean => {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
