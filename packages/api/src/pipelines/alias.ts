import type { AliasPerson, IdentifyPerson, RejectOperation } from "@inlet/core/Command"
import { Result } from "effect"
import { emptyReading, pipelines } from "../wire/attributes.ts"
import { envelope } from "../wire/envelope.ts"
import { noFindings } from "../wire/Findings.ts"
import { bareAddress, identifierFault, readText } from "../wire/identifiers.ts"
import { identify } from "../wire/identify.ts"
import { fault } from "../wire/reject.ts"
import { required } from "../wire/texts.ts"
import { rejectCall, type Call } from "./Call.ts"
import { nobody } from "./caller.ts"
import { operationKinds } from "./CallType.ts"
import { optionsOf } from "./options.ts"

/**
 * `alias`: whoever was known by `previousId` is the person of `userId`; with an `anonymousId` in its place, that visitor is
 * the person of `previousId` (pipelines-api §2.2, contract §6, §13).
 */
export const decodeAlias = (call: Call): Result.Result<AliasPerson | IdentifyPerson, RejectOperation> => {
  const { body, receipt } = call
  const previousId = readText(body["previousId"])
  if (previousId === null) return rejectCall(call, operationKinds.alias, required("previousId"))
  if (previousId === undefined) {
    const wrong = fault("invalid", "previousId", "previousId must be a string")
    return rejectCall(call, operationKinds.alias, wrong)
  }
  const previous = bareAddress(receipt, previousId, "previousId")
  if (Result.isFailure(previous)) return rejectCall(call, operationKinds.alias, previous.failure)
  const userId = readText(body["userId"]) ?? null
  if (userId !== null) {
    const address = bareAddress(receipt, userId, "userId")
    if (Result.isFailure(address)) return rejectCall(call, operationKinds.alias, address.failure)
    return Result.succeed({
      ...envelope("AliasPerson", receipt, optionsOf(call, noFindings())),
      target: address.success.target,
      previous: previous.success.target,
      previousId,
    })
  }
  const anonymousId = readText(body["anonymousId"]) ?? null
  if (anonymousId === null) return rejectCall(call, operationKinds.alias, nobody)
  const wrong = identifierFault(receipt, "anonymous_id", anonymousId, "anonymousId")
  if (wrong !== undefined) return rejectCall(call, operationKinds.alias, wrong)
  const person = { ...previous.success, beside: { ...previous.success.beside, anonymousId } }
  const reading = { ...emptyReading(), updateOnly: true } // it joins those who are known, and creates nobody
  return Result.succeed(identify(receipt, pipelines, person, reading, optionsOf(call, noFindings())))
}
