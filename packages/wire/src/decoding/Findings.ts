import type { Fault } from "@inlethq/core/log/Outcome"
import { messageOf } from "../texts/sentences.ts"
import { requestTexts } from "../texts/wireTexts.ts"
import { pathInBrand, type WrittenBrand } from "../texts/WrittenBrand.ts"

/** The faults of values in a request. The decoded command does not contain these values. */
export interface Findings {
  /**
   * Faults of values that break a rule of the protocol. The Track API refuses an operation with such a value. Pipelines
   * leaves out the value and applies the rest of the operation (contract §5).
   */
  readonly violations: Array<Fault>
  /**
   * Faults of invalid values. In every protocol, these values are left out and the rest of the operation is applied.
   */
  readonly faults: Array<Fault>
}

export const noFindings = (): Findings => ({ violations: [], faults: [] })

/** A fault as a response lists it, which never repeats a value of the request. */
export interface ListedFault extends Pick<Fault, "reason" | "field"> {
  readonly message: string
}

/** Returns a fault as a response lists it, in the brand of the deployment. */
export const listedFault = (brand: WrittenBrand, fault: Fault): ListedFault => ({
  reason: fault.reason,
  field: pathInBrand(brand, fault.field),
  message: messageOf(brand, fault),
})

/**
 * The largest number of faults that are stored and returned for one operation, because a small body can contain very
 * many faults.
 */
export const faultsMax = 10

/** Limits a list of faults to `faultsMax`. If the list is longer, the last fault says how many faults are not shown. */
export const capFaults = (faults: ReadonlyArray<Fault>): ReadonlyArray<Fault> => {
  if (faults.length <= faultsMax) return faults
  const shown = faults.slice(0, faultsMax - 1)
  return [...shown, requestTexts.moreFaults("", { count: faults.length - shown.length })]
}
