import { Outcome } from "@inlethq/core/log/Outcome"
import { sameJson, type Json } from "@inlethq/core/values/Json"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, reads } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { ActivityCursor } from "../values/Cursor.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { PersonDocument } from "./People.ts"

/** A value of the secondary person that a merge drops, because the primary person keeps its own value. */
const LostValue = Schema.Struct({ path: Schema.String, value: Schema.Json, kept: Schema.Json })
type LostValue = typeof LostValue.Type

/** The result that a merge of two people would have. Asking for the result changes nothing. */
export const MergePreviewDocument = Schema.Struct({
  /** The outcome that the merge would have, such as `applied`. */
  outcome: Outcome,
  reason: Schema.NullOr(Schema.String),
  primary: PersonDocument,
  secondary: PersonDocument,
  /** The primary person after the merge. Null if the people would not be merged. */
  merged: Schema.NullOr(PersonDocument),
  lost: Schema.Array(LostValue),
}).annotate({
  identifier: "MergePreview",
  description: "two people, the person that a merge would leave, and the values that the merge would drop",
})
export type MergePreviewDocument = typeof MergePreviewDocument.Type

/** A merge that can be undone. */
export const MergeDocument = Schema.Struct({
  operation_id: Schema.String,
  position: Schema.Int,
  at: IsoTime,
  /** The time until which the merge can be undone. */
  until: IsoTime,
  secondary: Schema.Struct({
    svc_id: Schema.String,
    id: Schema.NullOr(Schema.String),
    email: Schema.NullOr(Schema.String),
  }),
}).annotate({
  identifier: "Merge",
  description: "a merge into a person that can be undone, and who was merged",
})
export type MergeDocument = typeof MergeDocument.Type

export const EventTarget = Schema.Literals(["primary", "secondary"])

/** Events that go the same way when a merge is undone. */
export const EventGroupDocument = Schema.Struct({
  count: Schema.Int,
  to: EventTarget.annotate({ description: "who has them if the events are not divided" }),
  to_divided: EventTarget.annotate({ description: "who has them if the events are divided" }),
  newest: Schema.Array(
    Schema.Struct({ operation_id: Schema.String, name: Schema.NullOr(Schema.String), at: IsoTime }),
  ).annotate({ description: "the newest ten" }),
})

export const MovingEventsDocument = Schema.Struct({
  before: EventGroupDocument.annotate({ description: "events of the secondary from before the merge" }),
  named: EventGroupDocument.annotate({
    description: "events since the merge that named the primary by an identifier of the secondary",
  }),
  others: EventGroupDocument.annotate({ description: "all other events since the merge" }),
  complete: Schema.Boolean.annotate({
    description: "false if the person has more entries than were looked at",
  }),
})

/** What undoing a merge would do. Asking for it changes nothing. */
export const UnmergePreviewDocument = Schema.Struct({
  /** The outcome that undoing the merge would have: `applied`, or `partial` if something cannot come back. */
  outcome: Outcome,
  reason: Schema.NullOr(Schema.String),
  /** The primary person as they are now. */
  primary: PersonDocument,
  /** Both people afterwards, or null if the merge would not be undone. */
  after: Schema.NullOr(Schema.Struct({ primary: PersonDocument, secondary: PersonDocument })),
  /** Which events go where. Null if the merge would not be undone. */
  events: Schema.NullOr(MovingEventsDocument),
  /** What would not come back. */
  stays: Schema.Array(
    Schema.Struct({
      path: Schema.String,
      reason: Schema.String,
      code: Schema.String,
      other: Schema.NullOr(Schema.String).annotate({
        description: "the `svc_id` of the other person who has it instead",
      }),
    }),
  ),
}).annotate({
  identifier: "UnmergePreview",
  description: "the two people that undoing a merge would leave, and what would not come back",
})
export type UnmergePreviewDocument = typeof UnmergePreviewDocument.Type

const personInPath = { w: WorkspaceId, svc_id: Schema.String }

export class MergesGroup extends HttpApiGroup.make("merges")
  .add(
    HttpApiEndpoint.get("preview", "/workspaces/:w/people/:svc_id/merge-preview", {
      params: { w: WorkspaceId, svc_id: Schema.String },
      query: {
        secondary: Schema.String.annotate({
          description: "the `svc_id` of the person that would be merged into the person in the path",
        }),
      },
      success: MergePreviewDocument,
    }).annotate(Requirement, reads),
  )
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/people/:svc_id/merges", {
      params: personInPath,
      query: pageQuery(ActivityCursor),
      success: Page(MergeDocument, ActivityCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("unmergePreview", "/workspaces/:w/people/:svc_id/unmerge-preview", {
      params: personInPath,
      query: {
        secondary: Schema.String.annotate({
          description: "the `svc_id` that the person had who was merged into the person in the path",
        }),
        divide: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
          description:
            "whether events since the merge that named an identifier of the merged person would go back; `false` by default",
        }),
      },
      success: UnmergePreviewDocument,
    }).annotate(Requirement, reads),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Merges" })) {}

/**
 * Compares the secondary person of a merge with the merged person. Returns each value of the secondary person that the
 * merged person does not have: its path, the value, and the value that the merged person has instead.
 */
export const lostInMerge = (secondary: PersonDocument, merged: PersonDocument): ReadonlyArray<LostValue> => [
  ...lostFields("", identifiersOf(secondary), identifiersOf(merged)),
  ...lostFields("attributes.", secondary.attributes, merged.attributes),
  ...lostFields("subscription_preferences.", topicsOf(secondary), topicsOf(merged)),
  ...secondary.relationships.flatMap((lost) => {
    const kept = merged.relationships.find((other) => pathOf(other) === pathOf(lost))
    return lostFields(`${pathOf(lost)}.`, lost.attributes, kept?.attributes ?? {})
  }),
]

type Fields = Readonly<Record<string, Json>>

const identifiersOf = ({ email, id, unsubscribed }: PersonDocument): Fields => ({
  id,
  email,
  unsubscribed: unsubscribed || null,
})

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const topicsOf = ({ subscription_preferences: { topics } }: PersonDocument): Fields =>
  isFields(topics) ? topics : {}

const pathOf = ({ object_id, object_type_id }: PersonDocument["relationships"][number]): string =>
  `relationships.${object_type_id}.${object_id}`

const lostFields = (prefix: string, lost: Fields, kept: Fields): ReadonlyArray<LostValue> =>
  Object.entries(lost).flatMap(([name, value]) => {
    const other = kept[name] ?? null
    return value === null || sameJson(value, other) ? [] : [{ path: `${prefix}${name}`, value, kept: other }]
  })
