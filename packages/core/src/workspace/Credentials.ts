import { Schema } from "effect"
import { WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

/** What a key is for: the Track API, the Pipelines API, or the App API, which reads. */
export const KeyKind = Schema.Literals(["track", "pipelines", "app"])
export type KeyKind = typeof KeyKind.Type

/** What an app key may do: read, or also create and delete manual segments. */
export const AppScope = Schema.Literals(["read", "read+segments"])
export type AppScope = typeof AppScope.Type

/** The longest site id, in characters. A longer one belongs to no key. */
export const siteIdLengthMax = 256

/**
 * A key of one workspace. Its client may send data with a site id and an API key of the Track API or with a write key of the Pipelines
 * API, or read with a key of the App API. Only the SHA-256 of the secret is stored, in lower-case hex.
 */
export const ApiKey = Schema.Struct({
  keyId: Schema.NonEmptyString,
  workspace: WorkspaceId,
  kind: KeyKind,
  name: Schema.String,
  /** The public half of a Track key; null for any other key. */
  siteId: Schema.NullOr(Schema.String),
  digest: Schema.String,
  createdAt: Schema.Int,
  /** The first characters of the secret, by which operators recognise the key; null if they were not stored. */
  prefix: Schema.NullOr(Schema.String),
  /** The minute in which the key was last used, in milliseconds; null if it was never used. */
  lastUsedAt: Schema.NullOr(Schema.Int),
  /** The time from which the key is refused, in milliseconds; null if the key does not expire. */
  expiresAt: Schema.NullOr(Schema.Int),
  /** What an app key may do. Missing for any other key. */
  scope: Schema.optionalKey(AppScope),
})
export type ApiKey = typeof ApiKey.Type

/** The minute, in milliseconds, in which a key was used. */
export interface KeyUse {
  readonly keyId: string
  readonly at: EpochMillis
}
