import type { Envelope } from "../fold/Envelope.ts"
import { identifierText, type Reference } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { findSuppression, findSuppressionOfText } from "./findSuppression.ts"
import type { Verdict } from "./Verdict.ts"

/**
 * Adds to the verdict on a refused command what is kept of the call, so that the entry is about nobody. Adds nothing if the
 * workspace keeps no calls, or if the call names a suppressed person (contract §6, §16 *rejected calls*). `people` are those
 * whom the command names elsewhere than in the places for identifiers.
 */
export const withKeptCall = (
  state: WorkingSet,
  { sent, workspace }: Pick<Envelope, "sent" | "workspace">,
  refusal: Verdict,
  people: ReadonlyArray<Reference> = [],
): Verdict => {
  if (sent === undefined || workspace.rejectedDays === 0) return refusal
  const isSuppressed =
    sent.identifiers.some(
      ({ kind, value }) => findSuppressionOfText(state, identifierText(kind, value)) !== undefined,
    ) || people.some((person) => findSuppression(state, person) !== undefined)
  return isSuppressed ? refusal : { ...refusal, name: sent.name, subject: null, call: sent.call }
}
