import type { Command } from "@inlethq/core/Command"
import { kindOf } from "@inlethq/core/CommandTable"
import { followPlan } from "@inlethq/core/followPlan"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { Result } from "effect"
import type { Receipt } from "./Receipt.ts"
import { reject } from "./reject.ts"

/**
 * Applies the plans of the workspace to a decoded call (contract §8 *plans*). `root` is the field of the call that holds the data
 * of an event.
 */
export const planned = (
  receipt: Receipt,
  decoded: Result.Result<Command, RejectOperation>,
  root: string,
): Result.Result<Command, RejectOperation> => {
  const { plan, unknownEvents } = receipt.workspace
  if ((plan === null && unknownEvents === "allow") || Result.isFailure(decoded)) return decoded
  const followed = followPlan(decoded.success, { root, areCells: receipt.areCells === true })
  return followed._tag === "PlanRefusal"
    ? Result.fail({
        ...reject(receipt, kindOf(decoded.success), followed.faults, decoded.success.deduplicationKey),
        plan: followed.plan,
      })
    : Result.succeed(followed)
}

/** Returns the field that holds the data of an event in an item of the Track API v2. */
export const dataField = (item: object): string => ("attributes" in item ? "attributes" : "data")
