import { Schema } from "effect"
import { WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

export const KeyKind = Schema.Literals(["track", "pipelines"])
export type KeyKind = typeof KeyKind.Type

/** The longest site id, in characters. A longer one belongs to no key. */
export const siteIdLengthMax = 256

/**
 * A key that allows its client to send data into one workspace: a site id and an API key for the Track API, or a write
 * key for the Pipelines API. Only the SHA-256 of the secret is stored, in lower-case hex.
 */
export const ApiKey = Schema.Struct({
  keyId: Schema.NonEmptyString,
  workspace: WorkspaceId,
  kind: KeyKind,
  name: Schema.String,
  /** The public half of a Track key; null for a write key. */
  siteId: Schema.NullOr(Schema.String),
  digest: Schema.String,
  createdAt: Schema.Int,
  /** The first characters of the secret, by which operators recognise the key; null if they were not stored. */
  prefix: Schema.NullOr(Schema.String),
  /** The minute in which the key was last used, in milliseconds; null if it was never used. */
  lastUsedAt: Schema.NullOr(Schema.Int),
  /** The time from which the key is refused, in milliseconds; null if the key does not expire. */
  expiresAt: Schema.NullOr(Schema.Int),
})
export type ApiKey = typeof ApiKey.Type

/** The minute, in milliseconds, in which a key was used. */
export interface KeyUse {
  readonly keyId: string
  readonly at: EpochMillis
}
