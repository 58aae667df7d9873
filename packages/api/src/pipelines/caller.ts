import type { Reference } from "@inlet/core/values/Identifier"
import type { JsonObject } from "@inlet/core/values/Json"
import type { Fault } from "@inlet/core/log/Outcome"
import { Result } from "effect"
import type { Findings } from "../wire/Findings.ts"
import {
  addressBy,
  bareAddress,
  notText,
  readIdentifier,
  readText,
  type Address,
} from "../wire/identifiers.ts"
import type { Receipt } from "../wire/Receipt.ts"
import type { Call } from "./Call.ts"
import { valueFaults } from "../wire/faults.ts"
import { pipelinesFaults } from "./faults.ts"

/** The fault of a call that identifies no person or visitor. */
export const callerMissing: Fault = pipelinesFaults.callerMissing("userId")

/**
 * Reads the person or visitor of a call: its `userId` and anonymous id, or the anonymous id alone. Returns null if it
 * has neither. The call fails with the fault of `userId`, or of an `anonymousId` without a `userId` (contract §5, §16).
 * If a call has both, an invalid `anonymousId` is left out. A `userId` that is an object, an array or a boolean is left
 * out if there is a valid `anonymousId`.
 */
export const readCaller = (
  receipt: Receipt,
  body: JsonObject,
  faults: Array<Fault>,
): Result.Result<Address | null, Fault> => {
  const userId = readText(body["userId"])
  const anonymous = readIdentifier(receipt, "anonymous_id", body["anonymousId"], "anonymousId")
  if (userId === undefined || userId === null) {
    if (userId === undefined) {
      const wrong = notText("userId", body["userId"], userIdForm)
      const isLost = typeof body["userId"] === "number" || Result.getOrElse(anonymous, noText) === null
      if (isLost) return Result.fail(wrong)
      faults.push(wrong)
    }
    return Result.map(anonymous, (anonymousId) =>
      anonymousId === null ? null : addressBy("anonymous_id", anonymousId),
    )
  }
  const address = bareAddress(receipt, userId, "userId")
  if (Result.isFailure(anonymous)) faults.push(anonymous.failure)
  if (Result.isFailure(address) || Result.isFailure(anonymous) || anonymous.success === null) return address
  const { success } = address
  return Result.succeed({ ...success, others: { ...success.others, anonymousId: anonymous.success } })
}

export const userIdForm = valueFaults.inexactInteger("userId")

const noText = () => null

/**
 * Returns the person of an action, else its visitor. Returns null and adds a violation if the call identifies neither.
 */
export const readTarget = ({ body, receipt }: Call, { faults, violations }: Findings): Reference | null => {
  const address = readCaller(receipt, body, faults)
  if (Result.isSuccess(address) && address.success !== null) return address.success.target
  violations.push(Result.isFailure(address) ? address.failure : callerMissing)
  return null
}
