import type { SegmentRecord } from "@inlethq/core/catalog/Catalog"
import { sizeDaysMax } from "@inlethq/core/ports/SegmentSizes"
import type { KnownSize } from "@inlethq/core/segment/sizesByDay"
import { ruleStateOf } from "@inlethq/core/state/Segment"
import { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { dayMs, toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Requirement, reads, writes } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { PersonCursor, SegmentCursor } from "../values/Cursor.ts"
import { Name } from "../values/Name.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { PersonDocument } from "../people/People.ts"
import { Conflict } from "../access/Problem.ts"
import { RuleJson, RuleStateDocument, StoredRule } from "./SegmentRules.ts"

const SegmentId = SubjectKey.annotate({
  description: "the id of the segment in calls that add or remove people",
})

/** The fields of a segment that a rule decides. They are null in a manual segment. */
const RuleFields = {
  state: Schema.NullOr(RuleStateDocument),
  /** Counts the rules that the segment has had, from 1. */
  version: Schema.NullOr(Schema.Int),
  rule: Schema.NullOr(StoredRule),
  /** The rule that takes the place of the one in force once it is built. */
  next: Schema.NullOr(Schema.Struct({ version: Schema.Int, rule: StoredRule })),
  /** How much of the next rule is built, from 0 to 1, which it is once none is being built. */
  progress: Schema.NullOr(Schema.Finite),
}

/** A segment and the number of people in it. */
export const SegmentDocument = Schema.Struct({
  segment_id: SegmentId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  /** `manual`: API calls add people to it and remove people from it. `rule`: its rule decides who is in it. */
  kind: Schema.Literals(["manual", "rule"]),
  size: Schema.Int,
  ...RuleFields,
}).annotate({
  identifier: "Segment",
  description: "a segment and the number of its people. The fields about a rule are null if it is manual",
})
export type SegmentDocument = typeof SegmentDocument.Type

/** The number of days whose sizes are returned if the request gives none. */
export const sizeDaysDefault = 30

export const SegmentSizesDocument = Schema.Struct({
  segment_id: SegmentId,
  /** In UTC, oldest first. The last day is today. */
  days: Schema.Array(Schema.Struct({ day: Schema.String, size: Schema.NullOr(Schema.Int) })),
}).annotate({
  identifier: "SegmentSizes",
  description:
    "how many people a segment had at the end of each day, and today has now; null for days before its rule was in force or its sizes were kept",
})
export type SegmentSizesDocument = typeof SegmentSizesDocument.Type

const SizeDays = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: sizeDaysMax })).annotate({
  description: `the number of days, ${sizeDaysDefault} by default and ${sizeDaysMax} at most`,
})

const Description = Schema.NullOr(Schema.String.check(Schema.isMaxLength(2000)))

const Announce = Schema.optionalKey(Schema.Boolean).annotate({
  description: "whether entries record who enters and leaves while the rule is built",
})

const SegmentChanges = Schema.Struct({
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Description),
  rule: Schema.optionalKey(RuleJson),
  announce: Announce,
  paused: Schema.optionalKey(Schema.Boolean),
}).annotate({
  identifier: "SegmentChanges",
  description:
    "a new rule is built beside the one in force. While a segment is paused, nobody enters or leaves",
})

const NewSegment = Schema.Struct({
  name: Name,
  description: Schema.optionalKey(Description),
  rule: Schema.optionalKey(Schema.NullOr(RuleJson)),
  announce: Announce,
}).annotate({
  identifier: "NewSegment",
  description: "a new segment: without people, or with those for whom its rule holds",
})

const params = { w: WorkspaceId, segment_id: SegmentId }
const memberParams = { ...params, svc_id: Schema.String }

export class SegmentsGroup extends HttpApiGroup.make("segments")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/segments", {
      params: { w: WorkspaceId },
      query: pageQuery(SegmentCursor),
      success: Page(SegmentDocument, SegmentCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("create", "/workspaces/:w/segments", {
      params: { w: WorkspaceId },
      payload: NewSegment,
      success: SegmentDocument.pipe(HttpApiSchema.status(201)),
    }).annotate(Requirement, writes("segment.create")),
    HttpApiEndpoint.get("get", "/workspaces/:w/segments/:segment_id", {
      params,
      success: SegmentDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.patch("update", "/workspaces/:w/segments/:segment_id", {
      params,
      payload: SegmentChanges,
      success: SegmentDocument,
    }).annotate(Requirement, writes("segment.update")),
    HttpApiEndpoint.delete("delete", "/workspaces/:w/segments/:segment_id", { params }).annotate(
      Requirement,
      writes("segment.delete"),
    ),
    HttpApiEndpoint.get("sizes", "/workspaces/:w/segments/:segment_id/sizes", {
      params,
      query: { days: Schema.optionalKey(SizeDays) },
      success: SegmentSizesDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("people", "/workspaces/:w/segments/:segment_id/people", {
      params,
      query: pageQuery(PersonCursor),
      success: Page(PersonDocument, PersonCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.put("addPerson", "/workspaces/:w/segments/:segment_id/people/:svc_id", {
      params: memberParams,
      error: Conflict,
    }).annotate(Requirement, writes("segment.add_person")),
    HttpApiEndpoint.delete("removePerson", "/workspaces/:w/segments/:segment_id/people/:svc_id", {
      params: memberParams,
    }).annotate(Requirement, writes("segment.remove_person")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Segments" })) {}

/**
 * Returns a segment as a document. `progress` says how much of the build of its next rule is done, and `settles` whether a
 * build settles an object that its rule may be about.
 */
export const segmentDocument = (
  { segment, size }: SegmentRecord,
  { progress = 0, settles = false } = {},
): SegmentDocument => {
  const { next } = segment
  const rule = segment.rule ?? segment.next?.rule ?? null
  return {
    segment_id: segment.key,
    name: segment.name,
    description: segment.description,
    kind: rule === null ? "manual" : "rule",
    size,
    state: rule === null ? null : ruleStateOf(segment, settles),
    version: rule?.version ?? null,
    rule: rule?.source ?? null,
    next: next === null ? null : { version: next.rule.version, rule: next.rule.source },
    progress: rule === null ? null : next === null ? 1 : progress,
  }
}

/** Returns the sizes that a segment had as a document. */
export const segmentSizesDocument = (
  segment_id: SubjectKey,
  sizes: ReadonlyArray<KnownSize>,
): SegmentSizesDocument => ({
  segment_id,
  days: sizes.map(({ day, size }) => ({ day: toIso(day * dayMs).slice(0, "2026-11-29".length), size })),
})
