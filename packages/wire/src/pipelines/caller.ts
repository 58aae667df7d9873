import type { Reference } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import type { Findings } from "../decoding/Findings.ts"
import {
  addressBy,
  bareAddress,
  notText,
  readIdentifier,
  readText,
  type Address,
} from "../decoding/identifiers.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import type { Call } from "./Call.ts"
import { valueTexts } from "../texts/wireTexts.ts"
import { pipelinesTexts } from "../texts/pipelinesTexts.ts"

/** The fault of a call that identifies neither a person nor a visitor. */
export const callerMissing: Fault = pipelinesTexts.callerMissing("userId")

/**
 * Reads the person or visitor of a call from its `userId` and `anonymousId` (contract §5, §6). Returns null if the
 * call has neither. An invalid `userId` is an error. If the `userId` is an object, an array or a boolean and the
 * `anonymousId` is valid, the `userId` is left out instead. An invalid `anonymousId` is left out if the call has a
 * `userId`, and is an error otherwise.
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

export const userIdForm = valueTexts.inexactInteger("userId")

const noText = () => null

/**
 * Returns the person that an action applies to, or else the visitor. If the call identifies neither, adds a violation
 * and returns null.
 */
export const readTarget = ({ body, receipt }: Call, { faults, violations }: Findings): Reference | null => {
  const address = readCaller(receipt, body, faults)
  if (Result.isSuccess(address) && address.success !== null) return address.success.target
  violations.push(Result.isFailure(address) ? address.failure : callerMissing)
  return null
}
