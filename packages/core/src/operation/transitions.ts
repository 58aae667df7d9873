import { noEffect, type Verdict } from "../decision/Verdict.ts"
import { entryReasons } from "../log/faults.ts"
import type { ReportExcess } from "./commands.ts"

/** Records that a workspace exceeded its request rate. */
export const reportExcess = ({ requests, workspace }: ReportExcess): Verdict => {
  const { rateRequestsMax, rateWindowSeconds } = workspace.limits
  const reason = entryReasons.rateExceeded({
    requests,
    seconds: rateWindowSeconds,
    max: rateRequestsMax,
  })
  return { ...noEffect, outcome: "applied", reason, rule: "contract §15 observe" }
}
