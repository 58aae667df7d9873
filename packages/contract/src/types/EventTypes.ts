import { Outcome } from "@inlethq/core/log/Outcome"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, reads } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { SenderDocument } from "../activity/ActivityLog.ts"
import { TypeCursor } from "../values/Cursor.ts"
import { IsoTime, TimeText } from "../values/IsoTime.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { PathId } from "../values/PathId.ts"

const TypeKind = Schema.String.annotate({
  description: "`event`, `page`, `screen`, `person`, or `object:` with the id of an object type",
})

const TypeName = PathId.annotate({
  description:
    "the name of the event, page or screen, or `attributes` of people and objects. Names that look like data are `*`",
})

/** When something was seen, and in which operation. */
export const SightingDocument = Schema.Struct({ at: IsoTime, operation_id: Schema.String }).annotate({
  identifier: "Sighting",
  description: "an operation in which something was seen, and when the operation was received",
})
export type SightingDocument = typeof SightingDocument.Type

const DayCount = Schema.Struct({ day: Schema.String, count: Schema.Int })

export const CountedSenderDocument = Schema.Struct({
  sender: Schema.NullOr(SenderDocument),
  count: Schema.Int,
  first: SightingDocument,
  last: SightingDocument,
}).annotate({
  identifier: "CountedSender",
  description:
    "a key, a client and a route, and how many of the operations they sent; null for unknown senders",
})

export type CountedSenderDocument = typeof CountedSenderDocument.Type

const counted = {
  count: Schema.Int.annotate({ description: "the operations since the summary began, all of them" }),
  first: SightingDocument,
  last: SightingDocument,
  days: Schema.Array(DayCount).annotate({
    description: "the operations by day, in UTC, of the last 31 days that have any; oldest first",
  }),
  senders: Schema.Array(CountedSenderDocument),
}

const HourCount = Schema.Struct({ at: IsoTime, count: Schema.Int })

const hours = Schema.Array(HourCount).annotate({
  description: "the operations by hour, of the last 7 days",
})

export const PlanViolationsDocument = Schema.Struct({ ...counted, hours }).annotate({
  identifier: "PlanViolations",
  description:
    "the operations that did not fit the plan of their name, rejected ones included, and those without a plan if they are observed",
})
export type PlanViolationsDocument = typeof PlanViolationsDocument.Type

/** What is known of a name beside its shape. */
const typeFields = {
  kind: TypeKind,
  name: Schema.String,
  ...counted,
  sampled: Schema.Int.annotate({
    description: "of how many operations the data were looked at: all, or one in 16 beyond 1,000 a minute",
  }),
  paths: Schema.Int.annotate({ description: "the number of paths of the data" }),
  changed_at: IsoTime.annotate({
    description: "when a path or a type was new last, or a path was missing for the first time",
  }),
  silent_since: Schema.NullOr(IsoTime).annotate({
    description:
      "from when on the name counts as silent: after five times the usual time between two operations, and at least a day; null while it does not",
  }),
  violations: Schema.optionalKey(PlanViolationsDocument),
}

export const EventTypeDocument = Schema.Struct(typeFields).annotate({
  identifier: "EventType",
  description: "the events of one name, or the attributes of people or of objects: counts, days and senders",
})
export type EventTypeDocument = typeof EventTypeDocument.Type

const Counts = Schema.Record(Schema.String, Schema.Int)

export const PathDocument = Schema.Struct({
  path: Schema.String.annotate({
    description:
      "keys joined by dots; `[]` stands for the elements of a list, and `*` for keys that are data, or that one person alone has sent",
  }),
  types: Counts.annotate({ description: "operations by type of value: `string`, `integer`, `number`, …" }),
  formats: Counts.annotate({
    description: "values by format: `date-time`, `unix-seconds`, `email`, `uri`, `uuid`",
  }),
  count: Schema.Int.annotate({ description: "the operations that have the path, of those looked at" }),
  presence: Schema.NullOr(Schema.Finite).annotate({
    description:
      "the part of the operations since its first that have the path, from 0 to 1; null where it cannot be told",
  }),
  distinct: Schema.Int.annotate({ description: "about how many different values there were" }),
  first: SightingDocument,
  last: SightingDocument,
  missing: Schema.NullOr(SightingDocument).annotate({
    description: "the first operation after `first` that did not have the path",
  }),
}).annotate({ identifier: "TypePath", description: "one path of the data of operations, and never a value" })
export type PathDocument = typeof PathDocument.Type

export const EventTypeShapeDocument = Schema.Struct({
  ...typeFields,
  shape: Schema.Array(PathDocument),
  unplaced: Schema.Int.annotate({
    description: "the values that are not described because there were too many paths",
  }),
  json_schema: Schema.Json.annotate({
    description: "a JSON Schema (2020-12) that accepts the data of all of them",
  }),
}).annotate({
  identifier: "EventTypeShape",
  description:
    "the events of one name, or the attributes of people or of objects, with the shape of their data",
})
export type EventTypeShapeDocument = typeof EventTypeShapeDocument.Type

/** What can change of the operations of a workspace. */
export const driftChanges = [
  "new_name",
  "new_path",
  "widened_type",
  "presence_fell",
  "similar_name",
  "silent",
] as const

export const DriftDocument = Schema.Struct({
  change: Schema.Literals(driftChanges),
  kind: TypeKind,
  name: Schema.String,
  path: Schema.NullOr(Schema.String),
  summary: Schema.String.annotate({ description: "what changed, as a sentence" }),
  at: IsoTime,
  operation_id: Schema.String.annotate({
    description: "the first operation that shows it, or the last of a silent name",
  }),
  sender: Schema.NullOr(SenderDocument),
}).annotate({
  identifier: "Drift",
  description: "a change of what operations look like, with the first operation that shows it",
})
export type DriftDocument = typeof DriftDocument.Type

/** The most changes in one answer. */
export const driftMax = 500

/** The most changes in one event of a webhook. */
export const webhookChangesMax = 100

/** An event of a webhook of kind `types`: what one operation showed first, or that the name of its event became silent. */
export interface DriftEvent {
  readonly event_id: string
  readonly operation_id: string
  readonly at: string
  /** At most `webhookChangesMax`. */
  readonly changes: ReadonlyArray<DriftDocument>
  /** Whether these are all. */
  readonly complete: boolean
}

const DriftAnswer = Schema.Struct({
  items: Schema.Array(DriftDocument),
  since: IsoTime,
  /** Up to which entry the log is summarized. Null if it is not yet. */
  read_to: Schema.NullOr(Schema.Int),
  complete: Schema.Boolean,
}).annotate({
  identifier: "DriftAnswer",
  description: `what changed since a time, newest first, at most ${driftMax}`,
})

export const CauseDocument = Schema.Struct({
  cause: Schema.String.annotate({ description: "tells causes apart, and stays the same" }),
  outcome: Outcome,
  kind: Schema.NullOr(Schema.String),
  rule: Schema.NullOr(Schema.String),
  reason: Schema.NullOr(Schema.String).annotate({ description: "the reasons as a sentence" }),
  reasons: Schema.Array(Schema.Struct({ code: Schema.String, field: Schema.String })),
  filter: Schema.String.annotate({ description: "finds the operations in the activity log" }),
  sender: Schema.NullOr(SenderDocument),
  count: Schema.Int.annotate({ description: "the operations of the period" }),
  exact: Schema.Boolean.annotate({
    description: "false if the period begins or ends within an hour or a day that is counted as a whole",
  }),
  total: Schema.Int.annotate({ description: "the operations since the summary began" }),
  affected: Schema.Int.annotate({ description: "about how many people and objects it concerned in all" }),
  new: Schema.Boolean.annotate({
    description: "whether the first operation was received at `new_since` or later",
  }),
  first: SightingDocument,
  last: SightingDocument,
  hours,
  days: Schema.Array(DayCount),
}).annotate({
  identifier: "Cause",
  description: "why operations were not applied completely, who sent them, how many and since when",
})
export type CauseDocument = typeof CauseDocument.Type

/** The most causes in one answer. */
export const causesMax = 500

const CausesAnswer = Schema.Struct({
  items: Schema.Array(CauseDocument),
  since: IsoTime,
  until: IsoTime,
  read_to: Schema.NullOr(Schema.Int),
}).annotate({ identifier: "Causes", description: "the causes of a period, most frequent first" })

const workspace = { w: WorkspaceId }
const { after, limit } = pageQuery(TypeCursor)

export class TypesGroup extends HttpApiGroup.make("types")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/event-types", {
      params: workspace,
      query: { after, limit, kind: Schema.optionalKey(TypeKind) },
      success: Page(EventTypeDocument, TypeCursor),
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("get", "/workspaces/:w/event-types/:kind/:name", {
      params: { ...workspace, kind: PathId.annotate({ description: "the kind" }), name: TypeName },
      success: EventTypeShapeDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("drift", "/workspaces/:w/drift", {
      params: workspace,
      query: {
        since: Schema.optionalKey(
          Schema.String.annotate({
            description: "a time or a position of the log; a day before now by default",
          }),
        ),
      },
      success: DriftAnswer,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("causes", "/workspaces/:w/causes", {
      params: workspace,
      query: {
        since: Schema.optionalKey(TimeText.annotate({ description: "a day before `until` by default" })),
        until: Schema.optionalKey(TimeText.annotate({ description: "now by default" })),
        new_since: Schema.optionalKey(
          TimeText.annotate({ description: "from when on a cause is `new`; `since` by default" }),
        ),
      },
      success: CausesAnswer,
    }).annotate(Requirement, reads),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Types" })) {}
