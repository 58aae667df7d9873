import { AppScope, KeyKind, type ApiKey } from "@inlethq/core/workspace/Credentials"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Requirement, administers, reads } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { KeyCursor } from "../values/Cursor.ts"
import { IsoTime, isoTimeOrNull, TimeText } from "../values/IsoTime.ts"
import { Name } from "../values/Name.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { Conflict } from "../access/Problem.ts"

const Prefix = Schema.NullOr(Schema.String).annotate({
  description:
    "the first characters of the API key, write key or app key; null for a key that was made before prefixes were stored, or that is too short to show a part of it",
})

/** An API key without its secret. */
export const KeyDocument = Schema.Struct({
  key_id: Schema.String,
  kind: KeyKind,
  name: Schema.String,
  site_id: Schema.NullOr(Schema.String),
  scope: Schema.NullOr(AppScope),
  prefix: Prefix,
  created_at: IsoTime,
  last_used_at: Schema.NullOr(IsoTime),
  expires_at: Schema.NullOr(IsoTime),
}).annotate({
  identifier: "Key",
  description:
    "a key without its secret, which is not stored; only a Track key has a `site_id`, and only an app key has a `scope`. `last_used_at` is the minute of the last call with the key, and appears about a minute after it",
})
export type KeyDocument = typeof KeyDocument.Type

const NewKey = Schema.Struct({
  kind: KeyKind,
  name: Name,
  scope: Schema.optionalKey(
    AppScope.annotate({
      description:
        "what an `app` key may do, `read` by default: `read+segments` also creates and deletes manual segments. Other keys have none",
    }),
  ),
  expires_at: Schema.optionalKey(
    Schema.NullOr(TimeText).annotate({
      description: "the time from which the key is refused; null for never",
    }),
  ),
}).annotate({
  identifier: "NewKey",
  description: "the API that the new key is for, and the name under which operators see the key",
})

/** A new API key with its secret, which is never shown again. */
export const IssuedKey = Schema.Union([
  Schema.Struct({
    key_id: Schema.String,
    kind: Schema.Literal("track"),
    name: Schema.String,
    site_id: Schema.String,
    api_key: Schema.String,
    prefix: Prefix,
    expires_at: Schema.NullOr(IsoTime),
  }),
  Schema.Struct({
    key_id: Schema.String,
    kind: Schema.Literal("pipelines"),
    name: Schema.String,
    write_key: Schema.String,
    prefix: Prefix,
    expires_at: Schema.NullOr(IsoTime),
  }),
  Schema.Struct({
    key_id: Schema.String,
    kind: Schema.Literal("app"),
    name: Schema.String,
    scope: AppScope,
    app_key: Schema.String,
    prefix: Prefix,
    expires_at: Schema.NullOr(IsoTime),
  }),
]).annotate({ identifier: "IssuedKey", description: "a new key with its secret, which is never shown again" })
export type IssuedKey = typeof IssuedKey.Type

export class KeysGroup extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/keys", {
      params: { w: WorkspaceId },
      query: pageQuery(KeyCursor),
      success: Page(KeyDocument, KeyCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("create", "/workspaces/:w/keys", {
      params: { w: WorkspaceId },
      payload: NewKey,
      success: IssuedKey.pipe(HttpApiSchema.status(201)),
      error: Conflict,
    }).annotate(Requirement, administers("key.create")),
    HttpApiEndpoint.delete("revoke", "/workspaces/:w/keys/:key_id", {
      params: { w: WorkspaceId, key_id: Schema.String },
    }).annotate(Requirement, administers("key.revoke")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Keys" })) {}

export const keyDocument = (key: ApiKey): KeyDocument => ({
  key_id: key.keyId,
  kind: key.kind,
  name: key.name,
  site_id: key.siteId,
  scope: key.scope ?? null,
  prefix: key.prefix,
  created_at: toIso(key.createdAt),
  last_used_at: isoTimeOrNull(key.lastUsedAt),
  expires_at: isoTimeOrNull(key.expiresAt),
})

/** Returns the JSON document of a new API key with its secret. */
export const issuedKey = (key: ApiKey, secret: string): IssuedKey => {
  const common = {
    key_id: key.keyId,
    name: key.name,
    prefix: key.prefix,
    expires_at: isoTimeOrNull(key.expiresAt),
  }
  if (key.kind === "app") return { ...common, kind: "app", scope: key.scope ?? "read", app_key: secret }
  return key.siteId === null
    ? { ...common, kind: "pipelines", write_key: secret }
    : { ...common, kind: "track", site_id: key.siteId, api_key: secret }
}
