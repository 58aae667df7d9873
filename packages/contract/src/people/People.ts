import {
  attributesToJson,
  personAttributesToJson,
  unsubscribedName,
  valueOf,
} from "@inlethq/core/state/Attributes"
import { isTrue } from "@inlethq/core/values/flags"
import { creationOf } from "@inlethq/core/state/creationOf"
import { preferencesOf } from "@inlethq/core/state/storedPreferences"
import type { Device } from "@inlethq/core/state/Device"
import { relatedListedMax, relatedShownMax, type PersonRecord } from "@inlethq/core/catalog/Catalog"
import { svcIdText, WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ActivityPage, activityQuery } from "../activity/ActivityLog.ts"
import { AttributesDocument } from "../values/AttributesDocument.ts"
import { Requirement, reads } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { ActivityCursor, PersonCursor } from "../values/Cursor.ts"
import { IsoTime, isoTimeOrNull } from "../values/IsoTime.ts"
import { AsOf, momentQuery } from "../values/MomentQuery.ts"
import { LastSeenDocument } from "./LastSeen.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { Gone } from "../access/Problem.ts"
import { periodQuery } from "../values/ReceiptTime.ts"
import { ProvenanceDocument } from "../activity/Provenance.ts"

const DeviceDocument = Schema.Struct({
  token: Schema.String,
  platform: Schema.String,
  last_used: Schema.NullOr(IsoTime),
  attributes: AttributesDocument,
}).annotate({ identifier: "Device", description: "a device, which belongs to one person only" })
type DeviceDocument = typeof DeviceDocument.Type

const RelationshipDocument = Schema.Struct({
  object_type_id: Schema.String,
  object_id: Schema.String,
  attributes: AttributesDocument,
}).annotate({
  identifier: "Relationship",
  description: "an object that a person is related to; `attributes` are those of the relationship",
})

/** A person with their devices, relationships and segments. */
export const PersonDocument = Schema.Struct({
  svc_id: Schema.String,
  id: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  anonymous_ids: Schema.Array(Schema.String),
  attributes: AttributesDocument,
  /**
   * The `created_at` that the client sent. If the client sent no `created_at`, the time when the profile was created.
   */
  created_at: IsoTime,
  updated_at: IsoTime,
  unsubscribed: Schema.Boolean,
  /** `{}` if the client sent no preferences. */
  subscription_preferences: Schema.Record(Schema.String, Schema.Json),
  devices: Schema.Array(DeviceDocument),
  relationships: Schema.Array(RelationshipDocument),
  segments: Schema.Array(Schema.Int),
}).annotate({
  identifier: "Person",
  description: `a person with the first ${relatedShownMax} related objects (in lists of people the first ${relatedListedMax}), or fewer if the objects are large. The \`svc_id\` of a person who was deleted or merged into another is not found`,
})
export type PersonDocument = typeof PersonDocument.Type

/** A person as they are, or as they were at the moment `as_of`. */
export const PersonThenDocument = Schema.Struct({
  ...PersonDocument.fields,
  last_seen: Schema.NullOr(LastSeenDocument),
  as_of: Schema.optionalKey(AsOf),
}).annotate({
  identifier: "PersonThen",
  description:
    "a person; `last_seen` is null if none of their newest calls tells where they were. `as_of` is the moment that the query names, and is missing without one",
})
export type PersonThenDocument = typeof PersonThenDocument.Type

/** The largest number of characters of a filter of people. */
const peopleFilterMax = 1000

/**
 * Query parameters of the list of people. At most one of `id`, `email`, `svc_id`, `anonymous_id`, `q`, `attribute` and
 * `filter` may be given. `q` searches by prefix of `id` or `email`.
 */
const peopleQuery = {
  id: Schema.optionalKey(Schema.NonEmptyString),
  email: Schema.optionalKey(Schema.NonEmptyString),
  svc_id: Schema.optionalKey(Schema.NonEmptyString),
  anonymous_id: Schema.optionalKey(Schema.NonEmptyString),
  q: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "the beginning of an id, an email or a word of a name. People of whom it is a whole identifier come first",
    }),
  ),
  attribute: Schema.optionalKey(
    Schema.NonEmptyString.annotate({
      description:
        "the name of an attribute, or a path into its value such as `plan.tier`: lists people who have it. The answer checks a limited number of people, so a page that is not the last may be empty",
    }),
  ),
  value: Schema.optionalKey(
    Schema.String.annotate({
      description: "the value of the attribute: the exact text, or the JSON of any other value",
    }),
  ),
  filter: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(peopleFilterMax)).annotate({
      description:
        "conditions on people, such as `ada lovelace plan:pro -country:DE,AT`: words inside an id, an email or a name, identifiers, `segment:3`, `is:unsubscribed`, and attributes by name or path. Case and accents do not matter. The answer checks a limited number of people, so a page that is not the last may be empty",
    }),
  ),
  ...pageQuery(PersonCursor),
}

/** A page of people. */
const PeoplePage = Schema.Struct({
  ...Page(PersonDocument, PersonCursor).fields,
  /** The number of people who were checked for this page. It is only present in a search by attribute or filter. */
  searched: Schema.optionalKey(Schema.Int),
})

export class PeopleGroup extends HttpApiGroup.make("people")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/people", {
      params: { w: WorkspaceId },
      query: peopleQuery,
      success: PeoplePage,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("get", "/workspaces/:w/people/:svc_id", {
      params: { w: WorkspaceId, svc_id: Schema.String },
      query: momentQuery("the person"),
      success: PersonThenDocument,
      error: Gone,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("activity", "/workspaces/:w/people/:svc_id/activity", {
      params: { w: WorkspaceId, svc_id: Schema.String },
      query: { ...activityQuery, ...periodQuery, ...pageQuery(ActivityCursor) },
      success: ActivityPage,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("provenance", "/workspaces/:w/people/:svc_id/provenance", {
      params: { w: WorkspaceId, svc_id: Schema.String },
      query: { after: Schema.optionalKey(ActivityCursor) },
      success: Page(ProvenanceDocument, ActivityCursor),
    }).annotate(Requirement, reads),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "People" })) {}

export const personDocument = ({ person, relationships, segments }: PersonRecord): PersonDocument => {
  const { attributes } = person
  return {
    svc_id: svcIdText(person.workspace, person.key),
    id: person.id,
    email: person.email,
    anonymous_ids: person.anonymousIds,
    attributes: personAttributesToJson(attributes),
    created_at: toIso(creationOf(person)),
    updated_at: toIso(person.updatedAt),
    unsubscribed: isTrue(valueOf(attributes, unsubscribedName)),
    subscription_preferences: preferencesOf(attributes),
    devices: [...person.devices].map(([token, device]) => deviceDocument(token, device)),
    relationships: relationships.map(({ attributes, object }) => ({
      object_type_id: object.typeId,
      object_id: object.objectId,
      attributes: attributesToJson(attributes),
    })),
    segments,
  }
}

const deviceDocument = (token: string, device: Device): DeviceDocument => ({
  token,
  platform: device.platform,
  last_used: isoTimeOrNull(device.lastUsed),
  attributes: attributesToJson(device.attributes),
})
