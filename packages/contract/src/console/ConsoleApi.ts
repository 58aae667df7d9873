import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Grant } from "@inlethq/core/workspace/ConsoleSession"
import { Scope } from "@inlethq/core/workspace/NamedToken"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ProblemAnswers } from "../access/Authorization.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Forbidden, TooManyRequests, Unauthorized } from "../access/Problem.ts"

/** The base path of the console. */
export const consolePath = "/console"

/** The state of the browser's session. The fields from `expires_at` on are null if the browser is not signed in. */
export const SessionDocument = Schema.Struct({
  signed_in: Schema.Boolean,
  /** True if the browser has the cookie of a session whose token was revoked or has expired. */
  token_ended: Schema.Boolean,
  expires_at: Schema.NullOr(IsoTime),
  /** The token that the browser signed in with, or the person whom an issuer signed in. */
  token: Schema.NullOr(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      /** The address of the issuer; null for a token. */
      issuer: Schema.NullOr(Schema.String),
    }),
  ),
  /** The highest scope of the grants. */
  scope: Schema.NullOr(Scope),
  /** The workspaces of the grants; null for all. */
  workspaces: Schema.NullOr(Schema.Array(WorkspaceId)),
  /** What the session may do. A request needs only one that allows it. */
  grants: Schema.Array(Grant),
  /** How a browser can sign in: whether with tokens and links, and at which issuer, by its host. */
  ways: Schema.Struct({
    tokens: Schema.Boolean,
    oidc: Schema.NullOr(Schema.Struct({ issuer: Schema.String })),
  }),
}).annotate({
  identifier: "Session",
  description: "whether the browser is signed in, until when, and what it may do",
})
export type SessionDocument = typeof SessionDocument.Type

const secret = Schema.NonEmptyString.check(Schema.isMaxLength(1000))

/** The code of a sign-in link (`/console/#login=<code>`), or a management token. */
const SignIn = Schema.Union([Schema.Struct({ login: secret }), Schema.Struct({ token: secret })])

class SessionGroup extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.get("get", "/session", { success: SessionDocument }),
    HttpApiEndpoint.post("signIn", "/session", {
      payload: SignIn,
      success: SessionDocument,
      error: [Unauthorized, Forbidden, TooManyRequests],
    }),
    HttpApiEndpoint.delete("signOut", "/session", { error: Forbidden }),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Session" })) {}

/**
 * The API of the console's session. A session is a cookie that scripts cannot read. The management API accepts the
 * cookie in place of the management token, but only in requests from the console's own origin.
 */
export class ConsoleApi extends HttpApi.make("console")
  .add(SessionGroup)
  .prefix(consolePath)
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" }) {}
