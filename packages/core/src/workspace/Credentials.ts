import { Schema } from "effect"
import { WorkspaceId } from "../values/Identifier.ts"

export const KeyKind = Schema.Literals(["track", "pipelines"])
export type KeyKind = typeof KeyKind.Type

/**
 * A key that opens ingestion into one workspace: for the Track API a site id with an API key, for the Pipelines API a
 * write key. Of the secret only its SHA-256 is kept, in lower-case hex.
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
