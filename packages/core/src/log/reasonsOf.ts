import { listTexts } from "./operationTexts.ts"
import type { Fault } from "./Outcome.ts"
import { noValues, type Reason } from "./Reason.ts"

/**
 * The largest number of faults that become reasons of a log entry. All further faults are only counted. Stale attributes
 * have a limit of their own.
 */
const faultsListedMax = 20

/**
 * The largest number of characters in the paths of stale attributes (older than the stored values) that a log entry
 * lists. About 500 paths of ordinary length fit.
 */
const staleCharactersMax = 16_384

/**
 * Returns the reasons of a log entry with these faults. Stale attributes come last, each once: there may be many, and the
 * answer to the sender does not say which attributes were left out.
 */
export const reasonsOf = (faults: ReadonlyArray<Fault>): ReadonlyArray<Reason> => {
  const stale = faults.filter(({ reason }) => reason === "stale")
  const others = stale.length === 0 ? faults : faults.filter(({ reason }) => reason !== "stale")
  const reasons = others.slice(0, faultsListedMax).map(factOf)
  if (others.length > reasons.length) reasons.push(listTexts.more({ count: others.length - reasons.length }))
  if (stale.length > 0) addStale(reasons, stale)
  return reasons
}

const factOf = ({ code, field, values }: Fault): Reason => ({ code, field, values })

const addStale = (reasons: Array<Reason>, faults: ReadonlyArray<Fault>): void => {
  const byField = new Map<string, Fault>()
  for (const fault of faults) if (!byField.has(fault.field)) byField.set(fault.field, fault)
  let characters = 0
  let listed = 0
  for (const [field, fault] of byField) {
    characters += field.length
    if (characters > staleCharactersMax) break
    // The entry keeps the times of the values in `refused`.
    reasons.push({ ...factOf(fault), values: noValues })
    listed++
  }
  if (byField.size > listed) reasons.push(listTexts.moreStale({ count: byField.size - listed }))
}
