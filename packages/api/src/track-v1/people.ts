import type { DeletePerson, IdentifyPerson, RejectOperation } from "@inlet/core/Command"
import { isJsonObject } from "@inlet/core/Json"
import type { Fault } from "@inlet/core/Outcome"
import { Result } from "effect"
import { readAttributes, trackV1 } from "../wire/attributes.ts"
import { deletePerson } from "../wire/deletePerson.ts"
import { bareAddress } from "../wire/identifiers.ts"
import { identify } from "../wire/identify.ts"
import type { Receipt } from "../wire/Receipt.ts"
import { fault, notAnObject, reject } from "../wire/reject.ts"

/** PUT `/customers/{identifier}` (track-api §2.1, §4.3). `identifier` is the decoded path segment. */
export const decodeIdentify = (
  receipt: Receipt,
  identifier: string,
  body: unknown,
): Result.Result<IdentifyPerson, RejectOperation> => {
  if (!isJsonObject(body)) return Result.fail(reject(receipt, "identify", [notAnObject()]))
  const address = bareAddress(receipt, identifier, "identifier")
  const reading = readAttributes(receipt, body, trackV1)
  const faults: Array<Fault> = Result.isFailure(address) ? [address.failure] : []
  if (receipt.workspace.identifiers.id && body["id"] === "") {
    faults.push(fault("invalid", "id", "id attribute cannot be an empty string"))
  }
  faults.push(...reading.violations)
  if (Result.isFailure(address) || faults.length > 0) return Result.fail(reject(receipt, "identify", faults))
  return Result.succeed(
    identify(receipt, trackV1, address.success, reading, { at: reading.at ?? receipt.receivedAt }),
  )
}

/** DELETE `/customers/{identifier}`. */
export const decodeDelete = (
  receipt: Receipt,
  identifier: string,
): Result.Result<DeletePerson, RejectOperation> => {
  const address = bareAddress(receipt, identifier, "identifier")
  return Result.isFailure(address)
    ? Result.fail(reject(receipt, "delete", [address.failure]))
    : Result.succeed(deletePerson(receipt, address.success))
}
