import { Context, Schema } from "effect"
import { fitnessTexts } from "../log/operationTexts.ts"

/**
 * Why a node neither works on the data of a shared database nor takes calls: its clock differs from the database's, or
 * the tables have a format that this version does not use.
 */
export class NodeUnfit extends Schema.TaggedError<NodeUnfit>()("NodeUnfit", {
  fault: Schema.TaggedUnion({
    WrongClock: { aheadMs: Schema.Int },
    OtherFormat: { found: Schema.Int, known: Schema.Int },
  }),
}) {
  override get message() {
    switch (this.fault._tag) {
      case "WrongClock": {
        const seconds = Math.round(Math.abs(this.fault.aheadMs) / 1000)
        return this.fault.aheadMs > 0
          ? fitnessTexts.clockAhead({ seconds })
          : fitnessTexts.clockBehind({ seconds })
      }
      case "OtherFormat":
        return fitnessTexts.otherFormat({ found: this.fault.found, known: this.fault.known })
    }
  }
}

/** Tells why this node may not work, or null if it may. A store that only one process uses never forbids it. */
export interface Fitness {
  readonly unfit: () => NodeUnfit | null
}

export const NodeFitness = Context.Reference<Fitness>("@inlethq/core/ports/NodeFitness", {
  defaultValue: () => ({ unfit: () => null }),
})
