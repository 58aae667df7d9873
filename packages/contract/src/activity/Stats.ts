import type { ActivityCounts, CountedSteps } from "@inlethq/core/catalog/ActivityCounts"
import { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import { Outcome } from "@inlethq/core/log/Outcome"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { readTime, secondMs, toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Requirement, reads } from "../access/Access.ts"
import { activityQuery } from "./ActivityLog.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { IsoTime, TimeText } from "../values/IsoTime.ts"
import { ReasonsDocument } from "./Reasons.ts"

/**
 * The largest number of steps in one answer. If a request does not give the length of a step, the answer has
 * `stepsDefault` steps.
 */
export const statsStepsMax = 500
const stepsDefault = 60

/** The length of the time range that an answer covers if the request does not give `from`. */
const periodDefaultSeconds = 3600

const stepSecondsMax = 31 * 24 * 3600

/**
 * The numbers of operations that were received during one step, by kind and outcome. Kinds and outcomes without
 * operations are left out.
 */
const StepDocument = Schema.Struct({
  at: IsoTime,
  counts: Schema.Array(
    Schema.Struct({ kind: Schema.NullOr(ActivityKind), outcome: Outcome, count: Schema.Int }),
  ),
}).annotate({
  identifier: "StatsStep",
  description: "the operations that were received in one period, by kind and outcome",
})

export const StatsDocument = Schema.Struct({
  from: IsoTime,
  /** The end of the last step. */
  to: IsoTime,
  step_seconds: Schema.Int,
  counted_from: IsoTime.annotate({
    description:
      "the time from which operations were counted: later than `from` if the period has more of them than one answer counts. Earlier steps are empty, and the step that contains it has only what was received from then on",
  }),
  steps: Schema.Array(StepDocument),
}).annotate({
  identifier: "Stats",
  description:
    "the number of operations in periods of equal length (steps); each operation counts with the outcome at its receipt",
})
export type StatsDocument = typeof StatsDocument.Type

const statsQuery = {
  filter: activityQuery.filter,
  from: Schema.optionalKey(
    TimeText.annotate({ description: "the earliest receipt time; an hour before `to` by default" }),
  ),
  to: Schema.optionalKey(TimeText.annotate({ description: "the end of the period; now by default" })),
  step: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: stepSecondsMax })).annotate({
      description: `the length of a step in seconds; by default, the period has ${stepsDefault} steps. There can be at most ${statsStepsMax} steps`,
    }),
  ),
}

export class StatsGroup extends HttpApiGroup.make("stats")
  .add(
    HttpApiEndpoint.get("get", "/workspaces/:w/stats", {
      params: { w: WorkspaceId },
      query: statsQuery,
      success: StatsDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("reasons", "/workspaces/:w/stats/reasons", {
      params: { w: WorkspaceId },
      success: ReasonsDocument,
    }).annotate(Requirement, reads),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Stats" })) {}

/** Returns the steps for which a request asks for counts. */
export const requestedSteps = (
  query: { readonly from?: string; readonly to?: string; readonly step?: number },
  now: EpochMillis,
): CountedSteps => {
  const to = timeIn(query.to) ?? now
  const from = timeIn(query.from) ?? to - periodDefaultSeconds * secondMs
  const stepSeconds = query.step ?? Math.max(1, Math.ceil((to - from) / secondMs / stepsDefault))
  return {
    from,
    stepMs: stepSeconds * secondMs,
    steps: Math.max(0, Math.ceil((to - from) / (stepSeconds * secondMs))),
  }
}

const timeIn = (text: string | undefined): EpochMillis | undefined =>
  text === undefined ? undefined : readTime(text)

export const statsDocument = (
  { from, stepMs, steps }: CountedSteps,
  counts: ActivityCounts["counts"],
  countedFrom: EpochMillis,
): StatsDocument => {
  const byStep = Array.from({ length: steps }, (): Array<(typeof StepDocument.Type)["counts"][number]> => [])
  for (const { step, ...counted } of counts) byStep[step]?.push(counted)
  const timeOf = (step: number) => toIso(from + step * stepMs)
  return {
    from: timeOf(0),
    to: timeOf(steps),
    step_seconds: stepMs / secondMs,
    counted_from: toIso(countedFrom),
    steps: byStep.map((counted, step) => ({ at: timeOf(step), counts: counted })),
  }
}
