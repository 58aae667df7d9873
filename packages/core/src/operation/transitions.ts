import { noEffect, rejected, type Verdict } from "../decision/Verdict.ts"
import { ignoreTexts } from "../log/operationTexts.ts"
import { findSuppressionOfText } from "../decision/findSuppression.ts"
import { identifierText } from "../values/Identifier.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import type { RejectOperation, ReportExcess } from "./commands.ts"

/**
 * Records a refused request. The entry is about nobody. It keeps nothing that was sent if the request names a suppressed
 * person (contract §6, §16 *rejected calls*).
 */
export const rejectOperation = (state: WorkingSet, { faults, sent, workspace }: RejectOperation): Verdict => {
  const verdict = rejected(faults)
  if (sent === undefined || workspace.rejectedDays === 0) return verdict
  const isSuppressed = sent.identifiers.some(
    ({ kind, value }) => findSuppressionOfText(state, identifierText(kind, value)) !== undefined,
  )
  return isSuppressed ? verdict : { ...verdict, name: sent.name, call: sent.call }
}

/** Records that a workspace exceeded its request rate. */
export const reportExcess = ({ requests, workspace }: ReportExcess): Verdict => {
  const { rateRequestsMax, rateWindowSeconds } = workspace.limits
  const reason = ignoreTexts.rateExceeded({
    requests,
    seconds: rateWindowSeconds,
    max: rateRequestsMax,
  })
  return { ...noEffect, outcome: "applied", reason, rule: "contract §15 observe" }
}
