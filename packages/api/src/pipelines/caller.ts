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

/** A call that tells of nobody. */
export const nobody: Fault = pipelinesFaults.nobody("userId")

/**
 * Reads who a call is about: `userId` with the anonymous id beside it, or the anonymous id alone; null if it has neither.
 * The call fails with the fault of `userId`, or of an `anonymousId` that stands alone (contract §5, §16). A wrong
 * `anonymousId` beside a `userId` is left out, and so is a `userId` that is an object, an array or a boolean beside an
 * `anonymousId`.
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
  return Result.succeed({ ...success, beside: { ...success.beside, anonymousId: anonymous.success } })
}

export const userIdForm = valueFaults.inexactInteger("userId")

const noText = () => null

/** Whom an action is about: the person, or else the visitor; null where the call tells of nobody. */
export const readTarget = ({ body, receipt }: Call, { faults, violations }: Findings): Reference | null => {
  const address = readCaller(receipt, body, faults)
  if (Result.isSuccess(address) && address.success !== null) return address.success.target
  violations.push(Result.isFailure(address) ? address.failure : nobody)
  return null
}
