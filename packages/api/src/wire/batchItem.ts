import type { Json } from "@inlet/core/values/Json"
import type { Fault } from "@inlet/core/log/Outcome"
import { requestFaults } from "./faults.ts"
import { jsonBytesExceed, measure } from "./measure.ts"

/** A batch may always have this many items, however short they are. */
export const shortItemsMax = 10_000

/** The minimum average bytes of an item in a larger batch. Every valid item in every protocol is longer. */
export const itemBytesMin = 24

/**
 * Returns the fault of a batch that has more items than valid ones could fit into its bytes. Each refused item is
 * stored, so a small body must not create millions of them. A batch of valid items is limited by its bytes alone
 * (contract §16 *batch count*).
 */
export const batchFault = (items: number, bytes: number): Fault | undefined => {
  if (items <= shortItemsMax || items * itemBytesMin <= bytes) return undefined
  return requestFaults.shortItems("batch", { max: shortItemsMax, bytes: itemBytesMin })
}

/** Returns the fault of an item with too much JSON (contract §5). */
export const itemFault = (item: Json, bytesMax: number): Fault | undefined => {
  // "unfit" is not a fault of the item: the attribute that is nested too deep or out of range reports it.
  const size = measure(item, bytesMax)
  const isTooLarge = size === "unfit" ? jsonBytesExceed(item, bytesMax) : size === "too_large"
  return isTooLarge ? requestFaults.itemTooLarge("", { bytes: bytesMax }) : undefined
}
