import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Scope, type NamedToken } from "@inlethq/core/workspace/NamedToken"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { administersAll, inspectsAll, Requirement } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { TokenCursor } from "../values/Cursor.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Name } from "../values/Name.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { Conflict, Unprocessable } from "../access/Problem.ts"

/** The largest number of workspaces that one token can name. */
const tokenWorkspacesMax = 1000

const scope = Scope.annotate({
  description:
    "`read` reads; `write` also changes data; `admin` also changes settings, keys and webhooks, and for all workspaces also tokens and workspaces",
})

const workspaces = Schema.NullOr(
  Schema.Array(WorkspaceId).check(Schema.isMinLength(1), Schema.isMaxLength(tokenWorkspacesMax)),
).annotate({ description: "the workspaces that the token may use; null for all, also those created later" })

const masked = Schema.Boolean.annotate({
  description:
    "whether identifiers and texts of people are masked in every answer; a masked token gets no exports and no streams, and cannot be `admin`",
})

const fields = {
  token_id: Schema.String,
  name: Schema.String,
  scope,
  workspaces,
  masked,
  prefix: Schema.String.annotate({ description: "the first characters of the token, to recognise it by" }),
  created_at: IsoTime,
  expires_at: Schema.NullOr(IsoTime),
  last_used_at: Schema.NullOr(IsoTime).annotate({ description: "to the minute; null if it was never used" }),
}

export const TokenDocument = Schema.Struct(fields).annotate({
  identifier: "Token",
  description: "a named management token without its secret, which is not stored",
})
export type TokenDocument = typeof TokenDocument.Type

const IssuedToken = Schema.Struct({
  ...fields,
  token: Schema.String.annotate({ description: "the secret; it is never shown again" }),
}).annotate({ identifier: "IssuedToken", description: "a new management token with its secret" })
export type IssuedToken = typeof IssuedToken.Type

const NewToken = Schema.Struct({
  name: Name,
  scope,
  workspaces,
  masked: Schema.optionalKey(masked),
  expires_at: Schema.optionalKey(Schema.NullOr(IsoTime)),
}).annotate({
  identifier: "NewToken",
  description:
    "what the new token may do, and the time from which it is refused; it never expires by default",
})
export type NewToken = typeof NewToken.Encoded

export class TokensGroup extends HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.get("list", "/tokens", {
      query: pageQuery(TokenCursor),
      success: Page(TokenDocument, TokenCursor),
    }).annotate(Requirement, inspectsAll),
    HttpApiEndpoint.post("create", "/tokens", {
      payload: NewToken,
      success: IssuedToken.pipe(HttpApiSchema.status(201)),
      error: [Conflict, Unprocessable],
    }).annotate(Requirement, administersAll("token.create")),
    HttpApiEndpoint.delete("revoke", "/tokens/:token_id", {
      params: { token_id: Schema.String },
      error: Conflict,
    }).annotate(Requirement, administersAll("token.revoke")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Tokens" })) {}

export const tokenDocument = (token: NamedToken): TokenDocument => ({
  token_id: token.tokenId,
  name: token.name,
  scope: token.scope,
  workspaces: token.workspaces,
  masked: token.masked ?? false,
  prefix: token.prefix,
  created_at: toIso(token.createdAt),
  expires_at: token.expiresAt === null ? null : toIso(token.expiresAt),
  last_used_at: token.usedAt === null ? null : toIso(token.usedAt),
})
