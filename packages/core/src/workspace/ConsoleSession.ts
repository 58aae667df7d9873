import { Schema } from "effect"
import { WorkspaceId } from "../values/Identifier.ts"
import { Scope } from "./NamedToken.ts"

/** What somebody may do: a scope, and the workspaces for which it counts, null for all. */
export const Grant = Schema.Struct({
  scope: Scope,
  workspaces: Schema.NullOr(Schema.Array(WorkspaceId)),
})
export type Grant = typeof Grant.Type

/**
 * An open session of the console. Its cookie has a random id, which is a secret, so the store knows the session by a digest of it.
 */
export const ConsoleSession = Schema.Struct({
  /** The digest. It names the session in lists too. */
  sessionId: Schema.NonEmptyString,
  /** The token or the link that opened the session, or the person whom an issuer signed in. */
  kind: Schema.Literals(["token", "link", "person"]),
  /** The id of the token, or the issuer and the subject of the person. */
  principalId: Schema.NonEmptyString,
  name: Schema.String,
  /** The address of the issuer; null if a token or a link opened the session. */
  issuer: Schema.NullOr(Schema.String),
  /** What the person may do. What a token may do is read from the token. */
  grants: Schema.Array(Grant),
  /** The sessions with which it ends: the one that made its sign-in link, the one that made that one's, and so on. */
  ancestors: Schema.Array(Schema.String),
  createdAt: Schema.Int,
  expiresAt: Schema.Int,
})
export type ConsoleSession = typeof ConsoleSession.Type
