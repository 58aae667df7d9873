import type { AliasPerson, IdentifyPerson } from "@inlethq/core/person/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { emptyReading, pipelines } from "../decoding/attributes.ts"
import { envelope } from "../decoding/envelope.ts"
import { noFindings } from "../decoding/Findings.ts"
import {
  addressBy,
  bareAddress,
  notText,
  readIdentifier,
  readText,
  type Address,
} from "../decoding/identifiers.ts"
import { identify } from "../decoding/identify.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { required } from "../decoding/fieldValues.ts"
import { rejectCall, type Call } from "./Call.ts"
import { callerMissing, userIdForm } from "./caller.ts"
import { operationKinds } from "./CallType.ts"
import { optionsOf } from "./options.ts"

/**
 * Decodes `alias`. With a `userId`, the person or visitor with the identifier `previousId` becomes the person with this
 * `userId`. Without a `userId`, the visitor with the `anonymousId` becomes the person with the identifier `previousId`
 * (pipelines-api §2.2, contract §6, §13).
 */
export const decodeAlias = (call: Call): Result.Result<AliasPerson | IdentifyPerson, RejectOperation> => {
  const { body, receipt } = call
  const previousId = readText(body["previousId"])
  if (previousId === null) return rejectCall(call, operationKinds.alias, required("previousId"))
  if (previousId === undefined) {
    return rejectCall(call, operationKinds.alias, notText("previousId", body["previousId"]))
  }
  const previous = previousAddress(receipt, previousId)
  if (Result.isFailure(previous)) return rejectCall(call, operationKinds.alias, previous.failure)
  const userId = readText(body["userId"])
  if (userId === undefined) {
    return rejectCall(call, operationKinds.alias, notText("userId", body["userId"], userIdForm))
  }
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
  const read = readIdentifier(receipt, "anonymous_id", body["anonymousId"], "anonymousId")
  if (Result.isFailure(read)) return rejectCall(call, operationKinds.alias, read.failure)
  const anonymousId = read.success
  if (anonymousId === null) return rejectCall(call, operationKinds.alias, callerMissing)
  const person = { ...previous.success, others: { ...previous.success.others, anonymousId } }
  const reading = { ...emptyReading(), updateOnly: true } // an alias never creates a person
  return Result.succeed(identify(receipt, pipelines, person, reading, optionsOf(call, noFindings())))
}

/**
 * Reads the `previousId`. Any text is valid, even if the workspace identifies people by email only, because
 * `previousId` may be an anonymous id.
 */
const previousAddress = (receipt: Receipt, previousId: string): Result.Result<Address, Fault> => {
  const read = readIdentifier(receipt, "anonymous_id", previousId, "previousId")
  const address = bareAddress(receipt, previousId, "previousId")
  const isAnonymous = Result.isFailure(address) && Result.isSuccess(read) && !receipt.workspace.identifiers.id
  return isAnonymous ? Result.succeed(addressBy("id", previousId)) : address
}
