import { KeyKind, type ApiKey } from "@inlet/core/workspace/Credentials"
import { WorkspaceId } from "@inlet/core/values/Identifier"
import { toIso } from "@inlet/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, ProblemAnswers } from "./Authorization.ts"
import { KeyCursor } from "./Cursor.ts"
import { IsoTime } from "./IsoTime.ts"
import { Name } from "./Name.ts"
import { Page, pageQuery } from "./Page.ts"

/** An API key without its secret. */
export const KeyDocument = Schema.Struct({
  key_id: Schema.String,
  kind: KeyKind,
  name: Schema.String,
  site_id: Schema.NullOr(Schema.String),
  created_at: IsoTime,
}).annotate({
  identifier: "Key",
  description: "a key without its secret, which is not stored; `site_id` is null for a write key",
})
export type KeyDocument = typeof KeyDocument.Type

const NewKey = Schema.Struct({ kind: KeyKind, name: Name }).annotate({
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
  }),
  Schema.Struct({
    key_id: Schema.String,
    kind: Schema.Literal("pipelines"),
    name: Schema.String,
    write_key: Schema.String,
  }),
]).annotate({ identifier: "IssuedKey", description: "a new key with its secret, which is never shown again" })
export type IssuedKey = typeof IssuedKey.Type

export class KeysGroup extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/keys", {
      params: { w: WorkspaceId },
      query: pageQuery(KeyCursor),
      success: Page(KeyDocument, KeyCursor),
    }),
    HttpApiEndpoint.post("create", "/workspaces/:w/keys", {
      params: { w: WorkspaceId },
      payload: NewKey,
      success: IssuedKey.pipe(HttpApiSchema.status(201)),
    }),
    HttpApiEndpoint.delete("revoke", "/workspaces/:w/keys/:key_id", {
      params: { w: WorkspaceId, key_id: Schema.String },
    }),
  )
  .middleware(ProblemAnswers)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "Keys" })) {}

export const keyDocument = (key: ApiKey): KeyDocument => ({
  key_id: key.keyId,
  kind: key.kind,
  name: key.name,
  site_id: key.siteId,
  created_at: toIso(key.createdAt),
})

/** Returns the JSON document of a new API key with its secret. */
export const issuedKey = (key: ApiKey, secret: string): IssuedKey =>
  key.siteId === null
    ? { key_id: key.keyId, kind: "pipelines", name: key.name, write_key: secret }
    : { key_id: key.keyId, kind: "track", name: key.name, site_id: key.siteId, api_key: secret }
