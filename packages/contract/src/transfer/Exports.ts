import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { activityQuery, ActivityDocument } from "../activity/ActivityLog.ts"
import { Requirement, exports } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { StreamPosition } from "../values/Cursor.ts"
import { DeliveryDocument } from "../objects/Deliveries.ts"
import { ReplayedEntry } from "./ReplayedEntry.ts"
import { Gone } from "../access/Problem.ts"
import { ObjectDocument, RelatedDocument } from "../objects/Objects.ts"
import { PersonDocument } from "../people/People.ts"
import { PersonExportLine } from "./PersonExport.ts"
import { periodQuery } from "../values/ReceiptTime.ts"
import { SegmentDocument } from "../segments/Segments.ts"

/** The kinds of data that can be exported. */
export const ExportKind = Schema.Literals([
  "people",
  "events",
  "objects",
  "segments",
  "deliveries",
  "activity",
])
export type ExportKind = typeof ExportKind.Type

/**
 * The last line of an export. `count` is the number of lines before it. An export that does not end with this line is
 * incomplete.
 */
export const ExportEnd = Schema.Struct({ end: Schema.Literal(true), count: Schema.Int }).annotate({
  identifier: "ExportEnd",
  description: "the last line of a complete export, with the number of lines before it",
})

/** The last line of an export that the server could not complete. */
export const ExportBroken = Schema.Struct({
  end: Schema.Literal(false),
  count: Schema.Int,
  error: Schema.String,
}).annotate({
  identifier: "ExportBroken",
  description: "the last line of an export that the server could not complete, and the reason",
})

/** The last line of an export. */
export const ExportTrailer = Schema.Union([ExportEnd, ExportBroken])

/** An object, with all people and visitors related to it. */
export const ExportedObject = Schema.Struct({
  ...ObjectDocument.fields,
  relationships: Schema.Array(RelatedDocument),
}).annotate({
  identifier: "ExportedObject",
  description: "an object, and all people and anonymous visitors related to the object",
})

/** A person in an exported segment. */
const MemberDocument = Schema.Struct({
  svc_id: Schema.String,
  id: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
}).annotate({ identifier: "Member", description: "a person in an exported segment" })

/** A segment, with all people in it. */
export const ExportedSegment = Schema.Struct({
  ...SegmentDocument.fields,
  members: Schema.Array(MemberDocument),
}).annotate({ identifier: "ExportedSegment", description: "a segment and all people in it" })

const exported = <Line extends Schema.Top>(line: Line) => ({
  params: { w: WorkspaceId },
  success: HttpApiSchema.StreamNdjson({ schema: Schema.Union([line, ExportEnd, ExportBroken]) }),
})

const path = "/workspaces/:w/export"

/** Exports of a workspace as NDJSON. Each export shows the workspace as it was when the export began. */
export class ExportsGroup extends HttpApiGroup.make("exports")
  .add(
    HttpApiEndpoint.get("people", `${path}/people`, exported(PersonDocument)).annotate(
      Requirement,
      exports("export.people"),
    ),
    HttpApiEndpoint.get("events", `${path}/events`, {
      ...exported(ActivityDocument),
      query: periodQuery,
    }).annotate(Requirement, exports("export.events")),
    HttpApiEndpoint.get("objects", `${path}/objects`, exported(ExportedObject)).annotate(
      Requirement,
      exports("export.objects"),
    ),
    HttpApiEndpoint.get("segments", `${path}/segments`, exported(ExportedSegment)).annotate(
      Requirement,
      exports("export.segments"),
    ),
    HttpApiEndpoint.get("deliveries", `${path}/deliveries`, exported(DeliveryDocument)).annotate(
      Requirement,
      exports("export.deliveries"),
    ),
    HttpApiEndpoint.get("activity", `${path}/activity`, {
      ...exported(ActivityDocument),
      query: periodQuery,
    }).annotate(Requirement, exports("export.activity")),
  )
  .add(
    HttpApiEndpoint.get("replay", `${path}/replay`, {
      ...exported(ReplayedEntry),
      query: {
        from: Schema.optionalKey(
          StreamPosition.annotate({ description: "the first log position, the first of the log by default" }),
        ),
        to: Schema.optionalKey(
          StreamPosition.annotate({ description: "the last log position, the last of the log by default" }),
        ),
        filter: activityQuery.filter,
      },
      error: Gone,
    }).annotate(Requirement, exports("export.replay")),
  )
  .add(
    HttpApiEndpoint.get("person", "/workspaces/:w/people/:svc_id/export", {
      ...exported(PersonExportLine),
      params: { w: WorkspaceId, svc_id: Schema.String },
    }).annotate(Requirement, exports("export.person")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Exports" })) {}
