import type { FoundSubject } from "@inlethq/core/catalog/SubjectSearch"
import { searchedName } from "@inlethq/core/state/searchedNames"
import type { Segment } from "@inlethq/core/state/Segment"
import { SubjectKey, svcIdText, svcObjectIdText, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, reads, readsOwn } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"

/** True if the text is a whole identifier, and false if an identifier or a name begins with it. */
const exact = Schema.Boolean

const FoundPerson = Schema.Struct({
  kind: Schema.tag("person"),
  exact,
  svc_id: Schema.String,
  id: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  /** The attribute `name`, or `first_name` and `last_name`. */
  name: Schema.NullOr(Schema.String),
  /**
   * Who was merged into this person, if the text is their `svc_id`, or was their id or email until the merge; null
   * otherwise.
   */
  merged_svc_id: Schema.NullOr(Schema.String),
})

const FoundObject = Schema.Struct({
  kind: Schema.tag("object"),
  exact,
  object_type_id: Schema.String,
  object_id: Schema.String,
  svc_object_id: Schema.String,
  /** The attribute `name`. */
  name: Schema.NullOr(Schema.String),
})

const FoundSegment = Schema.Struct({
  kind: Schema.tag("segment"),
  exact,
  segment_id: SubjectKey,
  name: Schema.String,
})

/** Something that a search found. */
export const FoundDocument = Schema.Union([
  FoundPerson,
  FoundObject,
  Schema.Struct({ kind: Schema.tag("delivery"), exact, delivery_id: Schema.String }),
  FoundSegment,
  Schema.Struct({ kind: Schema.tag("form"), exact, form_id: Schema.String }),
  Schema.Struct({ kind: Schema.tag("operation"), exact, operation_id: Schema.String }),
]).annotate({
  identifier: "Found",
  description: "a person, an object, a delivery, a segment, a form or an operation that a search found",
})
export type FoundDocument = typeof FoundDocument.Type

/** Something that a search in all workspaces found. */
const FoundInWorkspace = Schema.Struct({
  environment_id: WorkspaceId,
  name: Schema.String.annotate({ description: "what the workspace is called" }),
  found: FoundDocument,
}).annotate({
  identifier: "FoundInWorkspace",
  description: "what a search in all workspaces found, and where",
})
export type FoundInWorkspace = typeof FoundInWorkspace.Type

/** The largest number of workspaces in which one search looks, those with the lowest ids. */
export const workspacesSearchedMax = 100

/** The largest number of characters of a text to search for. */
const searchTextMax = 1000

export const FoundKind = Schema.Literals(["person", "object", "delivery", "segment", "form", "operation"])
export type FoundKind = typeof FoundKind.Type

/** The largest `limit` of a search, and the limit without one. */
const searchLimitMax = 50
export const searchLimitDefault = 10

export class SearchGroup extends HttpApiGroup.make("search")
  .add(
    HttpApiEndpoint.get("find", "/workspaces/:w/search", {
      params: { w: WorkspaceId },
      query: {
        q: Schema.NonEmptyString.check(Schema.isMaxLength(searchTextMax)).annotate({
          description:
            "an identifier of any kind, the beginning of one, or of a name (`first_name`, `last_name`, `name`); or what a merge freed, which finds the person who remains",
        }),
        kind: Schema.optionalKey(FoundKind.annotate({ description: "finds only this kind" })),
        limit: Schema.optionalKey(
          Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: searchLimitMax })).annotate({
            description: `of each kind, the largest number of items that are not exact; ${searchLimitDefault} without it`,
          }),
        ),
      },
      success: Schema.Struct({
        items: Schema.Array(FoundDocument),
        partly_searched: Schema.Array(FoundKind).annotate({
          description:
            "the kinds of which only a part was searched: the newest 2,000 segments, and the objects of 2,000 types",
        }),
      }),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("everywhere", "/search", {
      query: {
        q: Schema.NonEmptyString.check(Schema.isMaxLength(searchTextMax)).annotate({
          description:
            "a whole identifier of a person, an object, a delivery, a form or an operation; or what a merge freed, which finds the person who remains",
        }),
      },
      success: Schema.Struct({
        items: Schema.Array(FoundInWorkspace),
        not_searched: Schema.Natural.annotate({
          description: `the number of workspaces in which the search did not look, because they are more than ${workspacesSearchedMax}`,
        }),
      }),
    }).annotate(Requirement, readsOwn),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Search" })) {}

export const foundDocument = ({ exact, merged, subject }: FoundSubject): FoundDocument => {
  switch (subject._tag) {
    case "Person": {
      const { attributes, email, id, key, workspace } = subject
      const name = searchedName(attributes)
      const merged_svc_id = merged === null ? null : svcIdText(workspace, merged)
      return { kind: "person", exact, svc_id: svcIdText(workspace, key), id, email, name, merged_svc_id }
    }
    case "DataObject":
      return {
        kind: "object",
        exact,
        object_type_id: subject.typeId,
        object_id: subject.objectId,
        svc_object_id: svcObjectIdText(subject.workspace, subject.key),
        name: searchedName(subject.attributes),
      }
    case "Delivery":
      return { kind: "delivery", exact, delivery_id: subject.deliveryId }
    case "Form":
      return { kind: "form", exact, form_id: subject.formId }
  }
}

export const foundSegment = ({ key, name }: Segment, isExact: boolean): FoundDocument => ({
  kind: "segment",
  exact: isExact,
  segment_id: key,
  name,
})
