import type { Fault } from "@inlet/core/log/Outcome"
import { requestFaults } from "./faults.ts"

/** Problems found while a request is decoded. The values they concern are left out of the decoded command. */
export interface Findings {
  /**
   * Broken rules. The Track API refuses the whole operation for one of them; Pipelines applies the rest (contract §5).
   */
  readonly violations: Array<Fault>
  /** Values that every protocol leaves out while it applies the rest. */
  readonly faults: Array<Fault>
}

export const noFindings = (): Findings => ({ violations: [], faults: [] })

/** The most faults that are stored and answered for one operation. A small body can contain very many. */
export const faultsMax = 10

/** Limits a list of faults to `faultsMax`. If it is longer, the last fault says how many were cut. */
export const capFaults = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> => {
  if (faults.length <= faultsMax) return faults
  const shown = faults.slice(0, faultsMax - 1)
  return [...shown, requestFaults.moreFaults("", { count: faults.length - shown.length })]
}
