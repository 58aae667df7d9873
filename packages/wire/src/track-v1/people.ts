import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { DeletePerson, IdentifyPerson, MergePeople } from "@inlethq/core/person/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { SuppressPerson, UnsuppressPerson } from "@inlethq/core/suppression/commands"
import type { Reference } from "@inlethq/core/values/Identifier"
import { isJsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { readAttributes, trackV1 } from "../decoding/attributes.ts"
import { bareAddress } from "../decoding/identifiers.ts"
import { identify } from "../decoding/identify.ts"
import { decodeTrackMerge } from "../decoding/merge.ts"
import { deletePerson, suppressPerson, unsuppressPerson } from "../decoding/person.ts"
import { isEmptyArray } from "../decoding/fieldValues.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { notAnObject, reject } from "../decoding/reject.ts"
import { identifierTexts } from "../texts/wireTexts.ts"

/** Decodes PUT `/customers/{identifier}` (track-api §2.1, §4.3). `identifier` is the decoded path segment. */
export const decodeIdentify = (
  receipt: Receipt,
  identifier: string,
  given: unknown,
): Result.Result<IdentifyPerson, RejectOperation> => {
  const body = given === null || isEmptyArray(given) ? {} : given // contract §2 *null body*, §4 *empty arrays*
  if (!isJsonObject(body)) return Result.fail(reject(receipt, "identify", [notAnObject()]))
  const address = bareAddress(receipt, identifier, "identifier")
  const reading = readAttributes(receipt, body, trackV1)
  const faults: Array<Fault> = Result.isFailure(address) ? [address.failure] : []
  if (receipt.workspace.identifiers.id && body["id"] === "") {
    faults.push(identifierTexts.empty("id"))
  }
  faults.push(...reading.violations)
  if (Result.isFailure(address) || faults.length > 0) return Result.fail(reject(receipt, "identify", faults))
  return Result.succeed(identify(receipt, trackV1, address.success, reading, { at: reading.at }))
}

/** Returns the decoder of an operation that needs only the person in its path. A body is ignored. */
const decodeWith =
  <A extends DeletePerson | SuppressPerson | UnsuppressPerson>(
    kind: ActivityKind,
    command: (receipt: Receipt, target: Reference) => A,
  ) =>
  (receipt: Receipt, identifier: string): Result.Result<A, RejectOperation> => {
    const address = bareAddress(receipt, identifier, "identifier")
    return Result.isFailure(address)
      ? Result.fail(reject(receipt, kind, [address.failure]))
      : Result.succeed(command(receipt, address.success.target))
  }

/** Decodes DELETE `/customers/{identifier}`. */
export const decodeDelete = decodeWith("delete", deletePerson)

/** Decodes POST `/customers/{identifier}/suppress` (track-api §3). */
export const decodeSuppress = decodeWith("suppress", suppressPerson)

/** Decodes POST `/customers/{identifier}/unsuppress` (track-api §3). */
export const decodeUnsuppress = decodeWith("unsuppress", unsuppressPerson)

/** Decodes POST `/merge_customers` (track-api §4.3 rule 1). */
export const decodeMerge = (receipt: Receipt, body: unknown): Result.Result<MergePeople, RejectOperation> =>
  isJsonObject(body)
    ? decodeTrackMerge(receipt, body)
    : Result.fail(reject(receipt, "merge", [notAnObject()]))
