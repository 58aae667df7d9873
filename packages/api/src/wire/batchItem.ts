import type { Json } from "@inlet/core/Json"
import type { Fault } from "@inlet/core/Outcome"
import { jsonDepthMax, measure } from "./measure.ts"
import { requestFaults } from "./faults.ts"

/** Items that one batch can hold: far more than valid ones fit into its bytes. */
export const batchItemsMax = 10_000

/** What is wrong with an item of a batch before it is read: its JSON is too large (contract §5). */
export const itemFault = (item: Json, bytesMax: number): Fault | undefined => {
  switch (measure(item, bytesMax)) {
    case "fits":
      return undefined
    case "too_large":
      return requestFaults.itemTooLarge("", { bytes: bytesMax })
    case "unfit":
      return requestFaults.itemUnfit("", { levels: jsonDepthMax })
  }
}
