import type { Fault } from "@inlet/core/log/Outcome"
import type { EnvelopeOptions } from "../wire/envelope.ts"
import type { Findings } from "../wire/Findings.ts"
import { readMessageId, type Call } from "./Call.ts"
import { momentOf, unreadTimes } from "./clock.ts"

/** What a command carries of its call: its time, its key, and all that was left out of it (contract §5). */
export const optionsOf = (
  call: Call,
  { faults, violations }: Findings,
): EnvelopeOptions & { readonly at: number } => {
  const own: Array<Fault> = []
  const deduplicationKey = readMessageId(call, own)
  const moment = momentOf(call)
  if (moment.originalTimestamp === null) own.push(...unreadTimes(call.body))
  return { ...moment, deduplicationKey, faults: [...violations, ...faults, ...own] }
}
