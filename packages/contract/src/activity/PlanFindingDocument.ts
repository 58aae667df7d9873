import { PlanFinding } from "@inlethq/core/log/PlanFinding"

/** The plan that an operation did not fit. */
export const PlanFindingDocument = PlanFinding.annotate({
  identifier: "PlanFinding",
  description: "the plan that an operation did not fit, and where",
})
