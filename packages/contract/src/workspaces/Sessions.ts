import { toIso } from "@inlethq/core/values/Timestamp"
import { ConsoleSession, Grant } from "@inlethq/core/workspace/ConsoleSession"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { administersAll, inspectsAll, Requirement } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { SessionCursor } from "../values/Cursor.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Page, pageQuery } from "../values/Page.ts"

export const OpenSessionDocument = Schema.Struct({
  session_id: Schema.String,
  kind: ConsoleSession.fields.kind.annotate({
    description:
      "what opened the session: a management token, a sign-in link, or a person who signed in at an issuer of OpenID Connect",
  }),
  principal_id: Schema.String.annotate({
    description: "the id of the token, or the issuer and the subject of the person",
  }),
  name: Schema.String.annotate({ description: "the name of the token or the person" }),
  issuer: Schema.NullOr(Schema.String),
  grants: Schema.Array(Grant).annotate({
    description: "what the session may do: scopes, each in some workspaces, or in all (null)",
  }),
  created_at: IsoTime,
  expires_at: IsoTime,
  current: Schema.Boolean.annotate({ description: "true for the session that sends the request" }),
}).annotate({
  identifier: "OpenSession",
  description: "a session of the console that has not ended",
})
export type OpenSessionDocument = typeof OpenSessionDocument.Type

export class SessionsGroup extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/sessions", {
      query: pageQuery(SessionCursor),
      success: Page(OpenSessionDocument, SessionCursor),
    }).annotate(Requirement, inspectsAll),
    HttpApiEndpoint.delete("revoke", "/sessions/:session_id", {
      params: { session_id: Schema.String },
    }).annotate(Requirement, administersAll("session.revoke")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Sessions" })) {}

export const openSessionDocument = (
  session: ConsoleSession,
  currentId: string | null,
): OpenSessionDocument => ({
  session_id: session.sessionId,
  kind: session.kind,
  principal_id: session.principalId,
  name: session.name,
  issuer: session.issuer,
  grants: session.grants,
  created_at: toIso(session.createdAt),
  expires_at: toIso(session.expiresAt),
  current: session.sessionId === currentId,
})
