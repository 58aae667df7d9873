import type { Json } from "@inlet/core/Json"
import type { Fault } from "@inlet/core/Outcome"
import { measure } from "./measure.ts"
import { fault } from "./reject.ts"

/** Items that one batch can hold: far more than valid ones fit into its bytes. */
export const batchItemsMax = 10_000

/** What is wrong with an item of a batch before it is read: its JSON is too large (contract §5). */
export const itemFault = (item: Json, bytesMax: number): Fault | undefined => {
  switch (measure(item, bytesMax)) {
    case "fits":
      return undefined
    case "too_large":
      return fault("too_large", "", `an item of a batch cannot be larger than ${bytesMax} bytes`)
    case "unfit":
      return fault("invalid", "", "the item is nested too deep, or holds a number out of range")
  }
}
