import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { isPlanCode, planTexts } from "@inlethq/core/plan/planTexts"
import { listOf } from "./listOf.ts"

type Violation = NonNullable<ActivityDocument["plan"]>["violations"][number]

/** What an operation does not fit. */
export interface PlanFacts {
  /** The name of the plan with its version, or of the event without one. */
  readonly title: string
  /** Where the data do not fit, and how. */
  readonly violations: ReadonlyArray<{ readonly path: string; readonly text: string }>
}

/** Says which plan an operation does not fit, and where. Null if it fits. */
export const planFacts = ({ plan }: Pick<ActivityDocument, "plan">): PlanFacts | null => {
  if (plan === undefined) return null
  const { name, version, violations } = plan
  const title = name ?? "the event"
  if (version === null) return { title, violations: [{ path: "(its name)", text: "has no plan" }] }
  return {
    title: `${title}, version ${version}`,
    violations: violations.map((one) => ({ path: pathOf(one), text: violationText(one) })),
  }
}

const pathOf = ({ path }: Violation): string => (path === "" ? "(all of it)" : path)

const violationText = ({ clause, got }: Violation): string => {
  if (clause === "required") return "is required, and missing"
  if (clause === "additionalProperties") return `is ${got}, and not in the plan`
  return `is ${got}, which ${clause} of the plan does not allow`
}

/** Says in a few words where an operation does not fit its plan. Null if it fits, or if its reason says it. */
export const planMark = ({ plan, reasons }: ActivityDocument): string | null => {
  if (plan === undefined || reasons.some(({ code }) => isPlanCode(code))) return null
  if (plan.version === null) return "the event has no plan"
  return `does not fit its plan: ${listOf([...new Set(plan.violations.map(pathOf))])}`
}

/** Says which plan an operation does not fit, unless its reason says it. */
export const planSentences = (entry: ActivityDocument): ReadonlyArray<string> => {
  const mark = planMark(entry)
  if (mark === null) return []
  return [entry.plan?.version === null ? "Its event has no plan." : `It ${mark}.`]
}

/** The codes of the texts that say what to do about the violations of an entry. */
export const planCodes = ({ plan }: ActivityDocument): ReadonlyArray<{ readonly code: string }> =>
  (plan?.violations ?? []).map(({ clause }) => ({ code: codeOf(clause) }))

const codeOf = (clause: string): string => {
  switch (clause) {
    case "required":
      return planTexts.required.code
    case "additionalProperties":
      return planTexts.additional.code
    case "unknown_events":
      return planTexts.unknownEvent.code
    default:
      return planTexts.value.code
  }
}
