import type { Json } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { requestTexts } from "../texts/wireTexts.ts"
import { jsonBytesExceed, measure } from "./measure.ts"

/** A batch with at most this many items is never refused because its items are too short. */
export const shortItemsMax = 10_000

/**
 * The smallest average number of bytes per item in a batch of more than `shortItemsMax` items. Valid items of every
 * protocol have more bytes.
 */
export const itemBytesMin = 24

/**
 * Returns a fault if the items of a batch are too short on average to be valid. Each refused item is stored, so without
 * the check a small body could create millions of stored items. Apart from this check, only the size of the batch in
 * bytes limits the number of items (contract §13 *batch count*).
 */
export const batchFault = (items: number, bytes: number): Fault | undefined => {
  if (items <= shortItemsMax || items * itemBytesMin <= bytes) return undefined
  return requestTexts.shortItems("batch", { max: shortItemsMax, bytes: itemBytesMin })
}

/** Returns a fault if an item has more than `bytesMax` bytes as JSON, else undefined (contract §5). */
export const itemFault = (item: Json, bytesMax: number): Fault | undefined => {
  // An item with a value that is nested too deep, or with a number out of range, is `unfit`. Only the size of such an
  // item is checked here, because the decoder reports the value later and names its attribute.
  const size = measure(item, bytesMax)
  const isTooLarge = size === "unfit" ? jsonBytesExceed(item, bytesMax) : size === "too_large"
  return isTooLarge ? requestTexts.itemTooLarge("", { bytes: bytesMax }) : undefined
}
