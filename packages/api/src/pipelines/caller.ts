import type { Reference } from "@inlet/core/Identifier"
import { exceedsBytes, type JsonObject } from "@inlet/core/Json"
import type { Fault } from "@inlet/core/Outcome"
import { Result } from "effect"
import type { Findings } from "../wire/Findings.ts"
import { addressBy, bareAddress, identifierFault, readText, type Address } from "../wire/identifiers.ts"
import type { Receipt } from "../wire/Receipt.ts"
import { fault } from "../wire/reject.ts"
import type { Call } from "./Call.ts"

/** A call that tells of nobody. */
export const nobody: Fault = fault("required", "userId", "userId or anonymousId is required")

/**
 * Whom a call names: by `userId`, with the anonymous id beside it, or by the anonymous id alone; null for nobody. What
 * cannot be an id is as good as absent, but an id that is too long refuses the call (contract §5).
 */
export const readCaller = (
  receipt: Receipt,
  body: JsonObject,
  faults: Array<Fault>,
): Result.Result<Address | null, Fault> => {
  const userId = readText(body["userId"]) ?? null
  const anonymousId = readText(body["anonymousId"]) ?? null
  if (userId === null) {
    if (anonymousId === null) return Result.succeed(null)
    const wrong = identifierFault(receipt, "anonymous_id", anonymousId, "anonymousId")
    return wrong === undefined ? Result.succeed(addressBy("anonymous_id", anonymousId)) : Result.fail(wrong)
  }
  const address = bareAddress(receipt, userId, "userId")
  if (Result.isFailure(address) || anonymousId === null) return address
  if (exceedsBytes(anonymousId, receipt.workspace.limits.personIdBytesMax)) {
    const wrong = identifierFault(receipt, "anonymous_id", anonymousId, "anonymousId")
    if (wrong !== undefined) faults.push(wrong)
    return address
  }
  const { success } = address
  return Result.succeed({ ...success, beside: { ...success.beside, anonymousId } })
}

/** Whom an action is about: the person, or else the visitor; null where the call tells of nobody. */
export const readTarget = ({ body, receipt }: Call, { faults, violations }: Findings): Reference | null => {
  const address = readCaller(receipt, body, faults)
  if (Result.isSuccess(address) && address.success !== null) return address.success.target
  violations.push(Result.isFailure(address) ? address.failure : nobody)
  return null
}
