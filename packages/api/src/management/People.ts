import { createdAtName, preferencesName, toJson, unsubscribedName, valueOf } from "@inlet/core/Attributes"
import { svcIdText, WorkspaceId } from "@inlet/core/Identifier"
import { isJsonObject, type Json } from "@inlet/core/Json"
import type { Person } from "@inlet/core/person/Person"
import { fromTrack, toIso } from "@inlet/core/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ActivityDocument, activityQuery } from "./ActivityLog.ts"
import { Authorization, ProblemAnswers } from "./Authorization.ts"
import { ActivityCursor, PersonCursor } from "./Cursor.ts"
import { IsoTime } from "./IsoTime.ts"
import { Page, pageQuery } from "./Page.ts"

const JsonObject = Schema.Record(Schema.String, Schema.Json)

/** A person as operators see it. */
export const PersonDocument = Schema.Struct({
  svc_id: Schema.String,
  id: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  anonymous_ids: Schema.Array(Schema.String),
  attributes: JsonObject,
  /** The client's where it sent one, else the profile's. */
  created_at: IsoTime,
  updated_at: IsoTime,
  unsubscribed: Schema.Boolean,
  /** `{}` where none were sent. */
  subscription_preferences: JsonObject,
  devices: Schema.Array(
    Schema.Struct({
      token: Schema.String,
      platform: Schema.String,
      last_used: Schema.NullOr(IsoTime),
      attributes: JsonObject,
    }),
  ),
  relationships: Schema.Array(
    Schema.Struct({ object_type_id: Schema.String, object_id: Schema.String, attributes: JsonObject }),
  ),
  segments: Schema.Array(Schema.Int),
}).annotate({ identifier: "Person" })
export type PersonDocument = typeof PersonDocument.Type

/** At most one of the four names a person; `q` searches by the beginning of `id` or `email`. */
const peopleQuery = {
  id: Schema.optionalKey(Schema.NonEmptyString),
  email: Schema.optionalKey(Schema.NonEmptyString),
  svc_id: Schema.optionalKey(Schema.NonEmptyString),
  anonymous_id: Schema.optionalKey(Schema.NonEmptyString),
  q: Schema.optionalKey(Schema.String),
  ...pageQuery(PersonCursor),
}

export class PeopleGroup extends HttpApiGroup.make("people")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/people", {
      params: { w: WorkspaceId },
      query: peopleQuery,
      success: Page(PersonDocument, PersonCursor),
    }),
    HttpApiEndpoint.get("get", "/workspaces/:w/people/:svc_id", {
      params: { w: WorkspaceId, svc_id: Schema.String },
      success: PersonDocument,
    }),
    HttpApiEndpoint.get("activity", "/workspaces/:w/people/:svc_id/activity", {
      params: { w: WorkspaceId, svc_id: Schema.String },
      query: { ...activityQuery, ...pageQuery(ActivityCursor) },
      success: Page(ActivityDocument, ActivityCursor),
    }),
  )
  .middleware(ProblemAnswers)
  .middleware(Authorization)
  .annotateMerge(OpenApi.annotations({ title: "People" })) {}

export const personDocument = (person: Person): PersonDocument => {
  const { attributes } = person
  const preferences = valueOf(attributes, preferencesName)
  return {
    svc_id: svcIdText(person.key),
    id: person.id,
    email: person.email,
    anonymous_ids: person.anonymousIds,
    attributes: toJson(attributes),
    created_at: toIso(fromTrack(valueOf(attributes, createdAtName)) ?? person.createdAt),
    updated_at: toIso(person.updatedAt),
    unsubscribed: saysTrue(valueOf(attributes, unsubscribedName)),
    subscription_preferences: isJsonObject(preferences) ? preferences : {},
    devices: [],
    relationships: [],
    segments: [],
  }
}

/** True, 1, "1" and any casing of "true" are true; anything else is false (contract §6). */
const saysTrue = (value: Json): boolean =>
  value === true ||
  value === 1 ||
  value === "1" ||
  (typeof value === "string" && value.toLowerCase() === "true")
