import { Outcome } from "@inlethq/core/log/Outcome"
import { omitPathCharactersMax } from "@inlethq/core/workspace/OmitPath"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { reads, Requirement } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { Conflict } from "../access/Problem.ts"
import { BacktestDocument, RuleJson } from "../segments/SegmentRules.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { newPlansFields } from "../workspaces/Plans.ts"
import { WorkspacePatch } from "../workspaces/Workspaces.ts"

/** The largest number of days that a trial looks back, and what it looks back without `days` and `from`. */
export const whatIfDaysMax = 3650
export const whatIfDaysDefault = 7

/** The most trials that a node remembers. Beyond them, the oldest that have ended are forgotten. */
export const whatIfsKeptMax = 100

/** The most trials that run on a node at a time. A workspace has one. */
export const whatIfsRunningMax = 4

/** The settings that a trial can change: those that decide what becomes of a call that the log has. */
const triedSettings = [
  "email_update_by_id",
  "event_merging",
  "placeholder_ids",
  "bots",
  "context",
  "omit",
  "limits",
  "unknown_events",
] as const

const { bots, context, email_update_by_id, event_merging, limits, omit, placeholder_ids, unknown_events } =
  WorkspacePatch.fields

const Settings = Schema.Struct({
  email_update_by_id,
  event_merging,
  placeholder_ids,
  bots,
  context,
  omit,
  limits,
  unknown_events,
})

const pair = { primary: Schema.String, secondary: Schema.String }

/** What would be otherwise. At most one of the fields is given. */
const Change = Schema.Struct({
  settings: Schema.optionalKey(Settings).annotate({
    description: `settings of the workspace: ${triedSettings.map((name) => `\`${name}\``).join(", ")}`,
  }),
  omit: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(omitPathCharactersMax))).annotate({
    description: "a path that would be left out of calls beside those that are by now",
  }),
  plan: Schema.optionalKey(Schema.Struct(newPlansFields)).annotate({
    description: "plans that would be in the place of all that there are by now, as `PUT …/plan` takes them",
  }),
  rule: Schema.optionalKey(
    Schema.Struct({ segment_id: Schema.optionalKey(SubjectKey), rule: RuleJson }),
  ).annotate({ description: "a rule that a segment would have had" }),
  merge: Schema.optionalKey(Schema.Struct(pair)).annotate({
    description: "the `svc_id`s of two people who would have been merged once both were there",
  }),
  unmerge: Schema.optionalKey(Schema.Struct(pair)).annotate({
    description: "the `svc_id`s of two people whose merge would not have been made",
  }),
}).annotate({
  identifier: "WhatIfChange",
  description: "what would be otherwise: one of the fields, or none to decide everything as it was decided",
})
export type WhatIfChange = typeof Change.Type

const NewWhatIf = Schema.Struct({
  days: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: whatIfDaysMax }))),
  from: Schema.optionalKey(Sequence).annotate({ description: "the first position, in place of `days`" }),
  to: Schema.optionalKey(Sequence).annotate({ description: "the last position; that of now by default" }),
  change: Change,
}).annotate({
  identifier: "NewWhatIf",
  description: `a part of the log to decide again with something changed; the last ${whatIfDaysDefault} days by default`,
})
export type NewWhatIf = typeof NewWhatIf.Type

const DecisionDocument = Schema.Struct({
  outcome: Outcome,
  rule: Schema.NullOr(Schema.String),
  codes: Schema.Array(Schema.String),
  refused: Schema.Array(Schema.Struct({ path: Schema.String, code: Schema.String })),
}).annotate({ identifier: "WhatIfDecision", description: "how an operation is decided, without any value" })

const compared = {
  differs: Schema.Array(
    Schema.Literals(["outcome", "clause", "codes", "refused", "changes", "data", "plan"]),
  ).annotate({
    description:
      "what differs: the outcome, the clause, the codes of reasons, what is refused, what changes, or what is stored of the call",
  }),
  now: Schema.NullOr(DecisionDocument),
  tried: Schema.NullOr(DecisionDocument).annotate({
    description: "as it would be with the change; null if it would not have been made",
  }),
}

const DifferingDocument = Schema.Struct({
  operation_id: Schema.String,
  sequence: Schema.Int,
  at: IsoTime,
  svc_id: Schema.NullOr(Schema.String),
  kind: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  ...compared,
}).annotate({ identifier: "WhatIfOperation", description: "an operation that would be decided otherwise" })
export type DifferingDocument = typeof DifferingDocument.Type

export const WhatIfDocument = Schema.Struct({
  what_if_id: Schema.String,
  status: Schema.Literals(["running", "done", "stopped", "failed"]),
  /** Why it failed or ended early, or null. */
  problem: Schema.NullOr(Schema.String),
  summary: Schema.String.annotate({ description: "what was found so far, as a sentence" }),
  change: Change,
  from: Schema.Int,
  to: Schema.Int,
  decided_to: Schema.NullOr(Schema.Int).annotate({
    description:
      "the position up to which the log was decided; a trial that goes on from the next one has no state of this one",
  }),
  started_at: IsoTime,
  ended_at: Schema.NullOr(IsoTime),
  version: Schema.String.annotate({ description: "the version that decided" }),
  range_hash: Schema.String.annotate({
    description:
      "SHA-256 over position and outcome of every entry that was decided, to compare reports about the same range",
  }),
  applied: Schema.Boolean.annotate({
    description:
      "false if the people to merge were not both there before the last operation, their merge is not in the range, or no call has the path to leave out",
  }),
  entries: Schema.Int,
  decided: Schema.Int.annotate({
    description: "the operations that were decided as the log says they were, and then otherwise",
  }),
  undecidable: Schema.Struct({
    operations: Schema.Int,
    codes: Schema.Array(
      Schema.Struct({ code: Schema.String, operations: Schema.Int, example: Schema.String }),
    ),
  }).annotate({
    description:
      "the operations of which the log does not say enough, such as values that were cut when they were refused",
  }),
  differing: Schema.Struct({
    operations: Schema.Int,
    people: Schema.Int,
    groups: Schema.Array(
      Schema.Struct({ ...compared, operations: Schema.Int, example: Schema.String }),
    ).annotate({ description: "operations that differ alike, the most frequent first" }),
    items: Schema.Array(DifferingDocument).annotate({
      description: "the first 1,000, in the order of the log",
    }),
    complete: Schema.Boolean,
  }),
  backtest: Schema.NullOr(BacktestDocument).annotate({
    description: "of a rule: who would have entered and left",
  }),
}).annotate({
  identifier: "WhatIf",
  description: "a part of the log, decided again in memory with something changed. Nothing is written",
})
export type WhatIfDocument = typeof WhatIfDocument.Type

const path = "/workspaces/:w/what-if"
const params = { w: WorkspaceId, what_if_id: Schema.String }

export class WhatIfGroup extends HttpApiGroup.make("whatIf")
  .add(
    HttpApiEndpoint.post("start", path, {
      params: { w: WorkspaceId },
      payload: NewWhatIf,
      success: WhatIfDocument.pipe(HttpApiSchema.status(202)),
      error: Conflict,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("get", `${path}/:what_if_id`, { params, success: WhatIfDocument }).annotate(
      Requirement,
      reads,
    ),
    HttpApiEndpoint.post("stop", `${path}/:what_if_id/stop`, { params, success: WhatIfDocument }).annotate(
      Requirement,
      reads,
    ),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "What if" })) {}
