import { noEffect, rejected, type Verdict } from "../decision/Verdict.ts"
import { ignoreTexts } from "../log/operationTexts.ts"
import { withKeptCall } from "../decision/keptCall.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import type { RejectOperation, ReportExcess } from "./commands.ts"

/** Records a refused request. The entry is about nobody. */
export const rejectOperation = (state: WorkingSet, command: RejectOperation): Verdict =>
  withKeptCall(
    state,
    command,
    rejected(command.faults, command.plan === undefined ? undefined : "contract §8 plans"),
  )

/** Records that a workspace exceeded its request rate. */
export const reportExcess = ({ requests, workspace }: ReportExcess): Verdict => {
  const { rateRequestsMax, rateWindowSeconds } = workspace.limits
  const reason = ignoreTexts.rateExceeded({
    requests,
    seconds: rateWindowSeconds,
    max: rateRequestsMax,
  })
  return { ...noEffect, outcome: "applied", reasons: [reason], rule: "contract §15 observe" }
}
