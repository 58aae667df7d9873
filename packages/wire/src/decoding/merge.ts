import type { MergePeople } from "@inlethq/core/person/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { Reference } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { envelope } from "./envelope.ts"
import { readAddress } from "./identifiers.ts"
import type { Receipt } from "./Receipt.ts"
import { reject } from "./reject.ts"
import { identifierTexts } from "../texts/wireTexts.ts"

/** Decodes a merge. Both versions of the Track API encode merges in the same way (track-api §4.2, §4.3). */
export const decodeTrackMerge = (
  receipt: Receipt,
  body: JsonObject,
): Result.Result<MergePeople, RejectOperation> => {
  const primary = readParty(receipt, body, "primary")
  const secondary = readParty(receipt, body, "secondary")
  if (Result.isSuccess(primary) && Result.isSuccess(secondary)) {
    return Result.succeed({
      ...envelope("MergePeople", receipt),
      primary: primary.success,
      secondary: secondary.success,
    })
  }
  const faults = [primary, secondary].flatMap((read) => (Result.isFailure(read) ? read.failure : []))
  return Result.fail(reject(receipt, "merge", faults))
}

/** Reads one of the two people in a merge. Each person must have exactly one identifier (contract §6). */
const readParty = (
  receipt: Receipt,
  body: JsonObject,
  field: "primary" | "secondary",
): Result.Result<Reference, ReadonlyArray<Fault>> => {
  const address = readAddress(receipt, body[field], false, field)
  if (Result.isFailure(address)) return Result.fail(address.failure)
  const { others, faults, target } = address.success
  const isAlone =
    faults.length === 0 && others.id === null && others.email === null && others.anonymousId === null
  return isAlone ? Result.succeed(target) : Result.fail([identifierTexts.notExactlyOne(field)])
}
