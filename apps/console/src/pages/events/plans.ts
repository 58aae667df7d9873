import type { PlanDocument, PlansDocument } from "@inlethq/contract/workspaces/Plans"
import { queryOptions } from "@tanstack/react-query"
import type { WhatIfChange } from "../../api/documents.ts"
import { api } from "../../api/generated.ts"

/** What a plan is for. */
export interface PlanOf {
  readonly kind: string
  readonly name: string
}

/** All plans of a workspace. */
export const plansQuery = (w: string) =>
  queryOptions({
    queryKey: [w, "plans"],
    queryFn: ({ signal }) => api.plans.list(w, signal),
  })

/** Returns the plan of a name, or null. */
export const planIn = (plans: PlansDocument | undefined, { kind, name }: PlanOf): PlanDocument | null =>
  plans?.plans.find((plan) => plan.kind === kind && plan.name === name) ?? null

/** A plan as it is sent: its version belongs to the workspace. */
interface SentPlan extends PlanOf {
  readonly mode: PlanDocument["mode"]
  readonly schema: PlanDocument["schema"]
}

/** Returns the change that puts a plan in the place of the one of its name, or adds it. Without a plan, the one of the name is removed. */
export const planChange = (plans: PlansDocument, of: PlanOf, plan: SentPlan | null): WhatIfChange => ({
  plan: {
    plans: [
      ...plans.plans.filter(({ kind, name }) => kind !== of.kind || name !== of.name).map(sent),
      ...(plan === null ? [] : [{ ...plan }]),
    ],
  },
})

const sent = ({ kind, mode, name, schema }: SentPlan) => ({ kind, name, mode, schema })

/** Returns what is wrong with a plan without its place among all plans, which nobody sees here. */
export const planProblem = (message: string): string =>
  message.replace(/^plans\.\d+(?:\.schema)?(?:\.|: )/, "")

/** What becomes of operations that do not fit a plan. */
export const modeTexts: Readonly<Record<PlanDocument["mode"], string>> = {
  observe: "Observe: only mark them",
  strip: "Strip: leave out what does not fit",
  reject: "Reject them",
}
