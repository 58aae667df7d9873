import { attributesToJson } from "@inlethq/core/state/Attributes"
import type { ObjectRecord, RelatedRecord } from "@inlethq/core/catalog/Catalog"
import { relatedPeopleMax } from "@inlethq/core/rule/ruleBounds"
import { searchedName } from "@inlethq/core/state/searchedNames"
import { svcIdText, svcObjectIdText, WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AttributesDocument } from "../values/AttributesDocument.ts"
import { Requirement, reads } from "../access/Access.ts"
import { Gone } from "../access/Problem.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { ObjectCursor, PersonCursor } from "../values/Cursor.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { AsOf, momentQuery } from "../values/MomentQuery.ts"
import { PathId } from "../values/PathId.ts"

/** A person or visitor related to an object. */
export const RelatedDocument = Schema.Struct({
  svc_id: Schema.NullOr(Schema.String),
  id: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  /** The attribute `name` of the person, or `first_name` and `last_name`. */
  name: Schema.NullOr(Schema.String),
  anonymous_id: Schema.NullOr(Schema.String),
  attributes: AttributesDocument,
}).annotate({
  identifier: "RelatedPerson",
  description:
    "a related person, or a visitor, who has no `svc_id`; `attributes` are those of the relationship",
})
export type RelatedDocument = typeof RelatedDocument.Type

/** An object and the people related to it. */
export const ObjectDocument = Schema.Struct({
  object_type_id: Schema.String,
  object_id: Schema.String,
  svc_object_id: Schema.String,
  attributes: AttributesDocument,
  people_total: Schema.Int,
  created_at: IsoTime,
  updated_at: IsoTime,
}).annotate({
  identifier: "Object",
  description:
    "an object, such as a company or a course; `people_total` is the number of people and anonymous visitors related to the object, which `…/people` lists",
})
export type ObjectDocument = typeof ObjectDocument.Type

/** An object as it is, or as it was at the moment `as_of`. */
export const ObjectThenDocument = Schema.Struct({
  ...ObjectDocument.fields,
  people_total: Schema.NullOr(Schema.Int),
  as_of: Schema.optionalKey(AsOf),
}).annotate({
  identifier: "ObjectThen",
  description: `an object; \`as_of\` is the moment that the query names, and is missing without one. Then \`people_total\` counts the people who are not erased and no visitors, and is null if the object was deleted since while it had more than ${relatedPeopleMax} of both, or more than 1 MiB of attributes of relationships`,
})
export type ObjectThenDocument = typeof ObjectThenDocument.Type

export class ObjectsGroup extends HttpApiGroup.make("objects")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/objects", {
      params: { w: WorkspaceId },
      query: { object_type_id: Schema.optionalKey(Schema.NonEmptyString), ...pageQuery(ObjectCursor) },
      success: Page(ObjectDocument, ObjectCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("get", "/workspaces/:w/objects/:object_type_id/:object_id", {
      params: { w: WorkspaceId, object_type_id: PathId, object_id: PathId },
      query: momentQuery("the object"),
      success: ObjectThenDocument,
      error: Gone,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("people", "/workspaces/:w/objects/:object_type_id/:object_id/people", {
      params: { w: WorkspaceId, object_type_id: PathId, object_id: PathId },
      query: { ...momentQuery("the people who were related"), ...pageQuery(PersonCursor) },
      success: Page(RelatedDocument, PersonCursor),
      error: Gone,
    }).annotate(Requirement, reads),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Objects" })) {}

export const objectDocument = ({ object, peopleTotal }: ObjectRecord): ObjectDocument => ({
  object_type_id: object.typeId,
  object_id: object.objectId,
  svc_object_id: svcObjectIdText(object.workspace, object.key),
  attributes: attributesToJson(object.attributes),
  people_total: peopleTotal,
  created_at: toIso(object.createdAt),
  updated_at: toIso(object.updatedAt),
})

export const relatedDocument = ({ attributes, subject }: RelatedRecord): RelatedDocument => {
  const document = {
    svc_id: null,
    id: null,
    email: null,
    name: null,
    anonymous_id: null,
    attributes: attributesToJson(attributes),
  }
  if (subject._tag === "Visitor") return { ...document, [subject.knownAs.kind]: subject.knownAs.value }
  return {
    ...document,
    svc_id: svcIdText(subject.workspace, subject.key),
    id: subject.id,
    email: subject.email,
    name: searchedName(subject.attributes),
  }
}
