import type { Json } from "@inlet/core/values/Json"
import type { Fault } from "@inlet/core/log/Outcome"
import { requestFaults } from "./faults.ts"
import { jsonBytesExceed, measure } from "./measure.ts"

/** Items that a batch may hold however short they are. */
export const shortItemsMax = 10_000

/** Bytes that the items of a larger batch must have on average. Every valid item of every protocol is longer. */
export const itemBytesMin = 24

/**
 * Returns the fault of a batch with more items than valid ones fit into its bytes, since each refused item is recorded too.
 * A batch of valid items is limited by its bytes alone (contract §16 *batch count*).
 */
export const batchFault = (items: number, bytes: number): Fault | undefined => {
  if (items <= shortItemsMax || items * itemBytesMin <= bytes) return undefined
  return requestFaults.shortItems("batch", { max: shortItemsMax, bytes: itemBytesMin })
}

/** Returns the fault of an item whose JSON is too large (contract §5). */
export const itemFault = (item: Json, bytesMax: number): Fault | undefined => {
  // What is nested too deep, or holds a number out of range, is the fault of the attribute that holds it.
  const size = measure(item, bytesMax)
  const isTooLarge = size === "unfit" ? jsonBytesExceed(item, bytesMax) : size === "too_large"
  return isTooLarge ? requestFaults.itemTooLarge("", { bytes: bytesMax }) : undefined
}
