import { WorkspaceId, SubjectKey } from "@inlethq/core/values/Identifier"
import { RuleJson as Language } from "@inlethq/core/rule/ruleLanguage"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, reads } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { IsoTime } from "../values/IsoTime.ts"
import { ProofDocument } from "./RuleProof.ts"

/** A rule as it is stored, described by the schema of its language. Another version of Inlet may have accepted it. */
export const StoredRule = Schema.Json.check(
  Schema.makeFilter(() => true, {
    representation: { id: "@inlethq/contract/Rule", payload: null, schemas: [Language.ast] },
    toJsonSchema: ({ schemas: [language = {}] }) => language,
  }),
)

/**
 * A rule in a request. Clients get the type of the language. The server accepts any JSON here, because the decoder of rules
 * says better what is wrong with it, and which word was probably meant.
 */
export const RuleJson = StoredRule.pipe(Schema.refine((_value): _value is Language => true))

/** The largest number of days of a backtest. Entries that are not events are kept for so long. */
const backtestDaysMax = 30

/** The state of a segment that a rule decides (contract §12). */
export const RuleStateDocument = Schema.Literals(["building", "active", "settling", "paused"])

const Named = {
  svc_id: Schema.String,
  id: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
}

/** A person who entered or left a segment, and the operation that caused it. */
const CrossingDocument = Schema.Struct({
  change: Schema.Literals(["entered", "left"]),
  at: IsoTime,
  operation_id: Schema.String,
  kind: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  version: Schema.Int,
})
export type CrossingDocument = typeof CrossingDocument.Type

export const MembershipExplanation = Schema.Struct({
  segment_id: SubjectKey,
  version: Schema.Int,
  /** While `building` or `paused`, `member` need not be what `tree` says. */
  state: RuleStateDocument,
  svc_id: Schema.String,
  member: Schema.Boolean,
  as_of: IsoTime,
  tree: ProofDocument,
  /** When the person entered and left, newest first, as far as the person's log tells. */
  history: Schema.Array(CrossingDocument),
}).annotate({
  identifier: "MembershipExplanation",
  description: "why the rule of a segment holds or does not hold for a person",
})
export type MembershipExplanation = typeof MembershipExplanation.Type

const NewTrial = Schema.Struct({ rule: RuleJson }).annotate({
  identifier: "RuleTrial",
  description: "a rule to try, which no segment gets",
})

const PreviewDocument = Schema.Struct({
  /** The number of people among those checked for whom the rule holds. */
  matches: Schema.Int,
  checked: Schema.Int,
  /** Whether all people were checked, with everything that the rule can count. */
  complete: Schema.Boolean,
  examples: Schema.Array(Schema.Struct(Named)),
}).annotate({
  identifier: "RulePreview",
  description: "for how many of a bounded number of people a rule holds now",
})
export type PreviewDocument = typeof PreviewDocument.Type

const NewBacktest = Schema.Struct({
  rule: RuleJson,
  days: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: backtestDaysMax })),
}).annotate({ identifier: "NewBacktest", description: "a rule to try on the last days" })

export const BacktestDocument = Schema.Struct({
  from: IsoTime,
  to: IsoTime,
  entered: Schema.Int,
  left: Schema.Int,
  /** The number of people who would be in the segment now. */
  members: Schema.Int,
  checked: Schema.Int,
  complete: Schema.Boolean,
  /** What each day would have brought, in UTC, oldest first. */
  days: Schema.Array(Schema.Struct({ day: Schema.String, entered: Schema.Int, left: Schema.Int })),
  /** The newest crossings, newest first. */
  examples: Schema.Array(
    Schema.Struct({ ...Named, change: Schema.Literals(["entered", "left"]), at: IsoTime }),
  ),
  /** The leaves that were judged by the present, because the log does not tell their past. */
  judged_by_present: Schema.Array(Schema.String),
}).annotate({
  identifier: "Backtest",
  description: "who would have entered and left a segment, had it had the rule. Nothing is written",
})
export type BacktestDocument = typeof BacktestDocument.Type

export const PersonSegment = Schema.Struct({
  segment_id: SubjectKey,
  name: Schema.String,
  kind: Schema.Literals(["manual", "rule"]),
  /**
   * When the person entered by the rule, or when the rule took effect whose build found them. Null if the log does not
   * tell, and in manual segments.
   */
  since: Schema.NullOr(IsoTime),
  /** The operation with which the person entered, or with which the rule took effect. */
  operation_id: Schema.NullOr(Schema.String),
}).annotate({ identifier: "PersonSegment", description: "a segment that a person is in, since when and why" })
export type PersonSegment = typeof PersonSegment.Type

const params = { w: WorkspaceId, segment_id: SubjectKey }

export class SegmentRulesGroup extends HttpApiGroup.make("segmentRules")
  .add(
    HttpApiEndpoint.get("explain", "/workspaces/:w/segments/:segment_id/explain", {
      params,
      query: {
        person: Schema.NonEmptyString.annotate({
          description: "an `id`, an email, an anonymous id, or a `svc_id` with or without prefix",
        }),
      },
      success: MembershipExplanation,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("preview", "/workspaces/:w/segments/preview", {
      params: { w: WorkspaceId },
      payload: NewTrial,
      success: PreviewDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.post("backtest", "/workspaces/:w/segments/backtest", {
      params: { w: WorkspaceId },
      payload: NewBacktest,
      success: BacktestDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("ofPerson", "/workspaces/:w/people/:svc_id/segments", {
      params: { w: WorkspaceId, svc_id: Schema.String },
      success: Schema.Struct({ items: Schema.Array(PersonSegment) }),
    }).annotate(Requirement, reads),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Segments by rule" })) {}
