import type { IdentifyPerson, RejectOperation } from "@inlet/core/Command"
import { exceedsBytes, isJsonObject, type JsonObject } from "@inlet/core/Json"
import type { Fault } from "@inlet/core/Outcome"
import { Result } from "effect"
import { emptyReading, pipelines, readAttributes, type Reading } from "../wire/attributes.ts"
import {
  addressBy,
  addressBySvcId,
  bareAddress,
  identifierFault,
  readText,
  type Address,
} from "../wire/identifiers.ts"
import { identify } from "../wire/identify.ts"
import type { Receipt } from "../wire/Receipt.ts"
import { fault, notSupported } from "../wire/reject.ts"
import { contextValue, readMessageId, rejectCall, type Call } from "./Call.ts"
import { momentOf } from "./clock.ts"

/** `identify` (pipelines-api §2.2, contract §13). */
export const decodeIdentify = (call: Call): Result.Result<IdentifyPerson, RejectOperation> => {
  const { body, receipt } = call
  const faults: Array<Fault> = []
  const deduplicationKey = readMessageId(call, faults)
  const traits = traitsOf(call, faults)
  const reading = traits === null ? emptyReading() : readAttributes(receipt, traits, pipelines)
  const address = readCaller(receipt, body, faults)
  if (Result.isFailure(address)) return rejectCall(call, "identify", address.failure)
  const addressed = address.success ?? addressOfTraits(receipt, reading)
  if (addressed === null) return rejectCall(call, "identify", nobody)
  const moment = momentOf(call)
  if (moment.originalTimestamp === null) faults.push(...unreadTime(body))
  if (traits !== null && Object.hasOwn(traits, "objectId")) {
    faults.push(notSupported("traits.objectId", "relating people to objects"))
  }
  faults.push(...reading.violations)
  return Result.succeed(
    identify(receipt, pipelines, addressed, reading, {
      at: reading.at ?? moment.at,
      originalTimestamp: moment.originalTimestamp,
      deduplicationKey,
      faults,
    }),
  )
}

/** A call that tells of nobody. */
export const nobody: Fault = fault("required", "userId", "userId or anonymousId is required")

/** Traits may stand in the context where the call has none (contract §13). */
const traitsOf = (call: Call, faults: Array<Fault>): JsonObject | null => {
  const own = call.body["traits"] ?? null
  if (isJsonObject(own)) return own
  if (own !== null) faults.push(fault("invalid", "traits", "traits must be an object"))
  const inContext = contextValue(call, "traits")
  return isJsonObject(inContext) ? inContext : null
}

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

/** Without any id, what the traits name leads (contract §13). */
const addressOfTraits = ({ brand }: Receipt, { email, svcId }: Reading): Address | null => {
  if (svcId !== null) return addressBySvcId(brand, svcId)
  return email === null ? null : addressBy("email", email)
}

/** An identify's time that is none is left out and recorded (contract §6). */
const unreadTime = (body: JsonObject): ReadonlyArray<Fault> =>
  ["originalTimestamp", "timestamp"].flatMap((field) => {
    const value = body[field] ?? null
    return value === null || value === "" ? [] : [fault("invalid", field, `${field} is no time`)]
  })
