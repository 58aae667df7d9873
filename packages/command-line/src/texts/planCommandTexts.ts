import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of errors of `inlet plan`. */
export const planCommandTexts = {
  wrongPlanFile: errorText(
    "{file} has no plans: expected JSON with a list plans",
    "`inlet plan pull` prints such a file.",
  ),
  noPlan: errorText("there is no plan of {kind} {name}", "`inlet plan pull` prints all plans."),
  strictestPlan: errorText("the plan rejects already", "Give `--mode` to set another mode."),
}
