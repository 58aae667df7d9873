import type { Fault } from "@inlethq/core/log/Outcome"
import type { EnvelopeOptions } from "../decoding/envelope.ts"
import type { Findings } from "../decoding/Findings.ts"
import { readMessageId, type Call } from "./Call.ts"
import { callTimeOf, timeFaults } from "./callTime.ts"

/**
 * Returns the envelope options of a call: its time, its deduplication key, and a fault for each value that was left out
 * (contract §5).
 */
export const optionsOf = (
  call: Call,
  { faults, violations }: Findings,
): EnvelopeOptions & { readonly at: number } => {
  const own: Array<Fault> = []
  const deduplicationKey = readMessageId(call, own)
  const moment = callTimeOf(call)
  own.push(...timeFaults(call, moment))
  return { ...moment, deduplicationKey, faults: [...violations, ...faults, ...own] }
}
