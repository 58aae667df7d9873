import { Schema } from "effect"
import { WorkspaceId } from "../values/Identifier.ts"

export const KeyKind = Schema.Literals(["track", "pipelines"])
export type KeyKind = typeof KeyKind.Type

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
})
export type ApiKey = typeof ApiKey.Type
