import type { Fault } from "@inlet/core/log/Outcome"
import { requestFaults } from "./faults.ts"

/** What is found wrong with a request while it is read. All of it is left out of what was read. */
export interface Findings {
  /** What breaks a rule: the Track API refuses the operation for it, Pipelines applies the rest (contract §5). */
  readonly violations: Array<Fault>
  /** What is left out without harm to the rest, in every protocol. */
  readonly faults: Array<Fault>
}

export const noFindings = (): Findings => ({ violations: [], faults: [] })

/** The most that is told and kept of what is wrong with one operation: a few bytes can be wrong in many places. */
export const faultsMax = 10

/** As many faults as are told; the last one counts those left out. */
export const bounded = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> => {
  if (faults.length <= faultsMax) return faults
  const shown = faults.slice(0, faultsMax - 1)
  return [...shown, requestFaults.moreFaults("", { count: faults.length - shown.length })]
}
