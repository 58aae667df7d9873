import { Schema } from "effect"
import { WorkspaceId } from "../values/Identifier.ts"

/**
 * What a management token may do. `read` reads, `write` also changes data, and `admin` also changes settings, keys and
 * webhooks.
 */
export const Scope = Schema.Literals(["read", "write", "admin"])
export type Scope = typeof Scope.Type

/**
 * A management token that an operator has created. Only the SHA-256 of the secret is stored, in lower-case hex. The
 * installation's own token is not a named token: it is in the environment or in a file.
 */
export const NamedToken = Schema.Struct({
  tokenId: Schema.NonEmptyString,
  name: Schema.String,
  scope: Scope,
  /** The workspaces that the token may use; null for all. */
  workspaces: Schema.NullOr(Schema.Array(WorkspaceId)),
  /** Whether identifiers and texts of people are masked in every answer. A token without it is not masked. */
  masked: Schema.optionalKey(Schema.Boolean),
  /** The first characters of the secret, by which people recognise it. */
  prefix: Schema.String,
  digest: Schema.String,
  createdAt: Schema.Int,
  expiresAt: Schema.NullOr(Schema.Int),
  /** The minute of the last use, as a Unix time in milliseconds; null if the token was never used. */
  usedAt: Schema.NullOr(Schema.Int),
})
export type NamedToken = typeof NamedToken.Type
