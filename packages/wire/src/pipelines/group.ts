import { objectBounds } from "@inlethq/core/attributes/attributeBounds"
import type { Assignment } from "@inlethq/core/state/Attributes"
import type { IdentifyObject } from "@inlethq/core/object/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { JsonObject } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { keepWithin, readAssignments } from "../decoding/assignments.ts"
import { envelope } from "../decoding/envelope.ts"
import { noFindings, type Findings } from "../decoding/Findings.ts"
import { byTypeAndId } from "../decoding/object.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { isAbsent } from "../decoding/fieldValues.ts"
import { readStamp } from "../decoding/timestamps.ts"
import { objectOr, rejectCall, firstSpelling, type Call } from "./Call.ts"
import { readCaller } from "./caller.ts"
import { operationKinds } from "./CallType.ts"
import { optionsOf } from "./options.ts"
import { readRelationshipTraits, relationshipKeys, typeKeys } from "./relationship.ts"

const objectAttributesKey = "objectAttributes"

const timestampKey = "_timestamp"

/** Traits that do not become attributes of the object. */
const ownKeys = new Set([...relationshipKeys, objectAttributesKey, timestampKey])

/**
 * Decodes `group`, which adds or updates an object and relates it to the person or visitor of the call (pipelines-api
 * §2.2, contract §9, §13). A call without a person or visitor changes only the object.
 */
export const decodeGroup = (call: Call): Result.Result<IdentifyObject, RejectOperation> => {
  const { body, receipt } = call
  const findings = noFindings()
  const traits = objectOr(body["traits"], {})
  const inTraits = firstSpelling("traits.", traits, typeKeys)
  const type = isAbsent(inTraits.value) ? firstSpelling("", body, typeKeys) : inTraits
  const object = byTypeAndId(receipt, type, { field: "groupId", value: body["groupId"] }, findings)
  const caller = readCaller(receipt, body, findings.faults)
  if (Result.isFailure(caller)) findings.violations.push(caller.failure)
  if (object === null || Result.isFailure(caller)) {
    return rejectCall(call, operationKinds.group, ...findings.violations)
  }
  const assignments = readObjectTraits(receipt, body, findings)
  const related = readRelationshipTraits(receipt, traits, findings)
  const ordering = { field: `traits.${timestampKey}`, value: traits[timestampKey] }
  const at = readStamp(receipt, ordering, findings.faults)
  const options = optionsOf(call, findings)
  return Result.succeed({
    ...envelope("IdentifyObject", receipt, at === null ? options : { ...options, at, followsReceipt: false }),
    object,
    assignments,
    entries: caller.success === null ? [] : [{ person: caller.success.target, assignments: related }],
  })
}

/**
 * Reads the attributes of the object from the traits that are not reserved and from `objectAttributes`. If both set the
 * same attribute, the value in `objectAttributes` wins.
 */
const readObjectTraits = (
  receipt: Receipt,
  { traits }: JsonObject,
  findings: Findings,
): ReadonlyArray<Assignment> => {
  const inside = objectOr(traits, {})[objectAttributesKey]
  const read = [
    ...readAssignments(receipt, { field: "traits", value: traits, skip: ownKeys }, findings),
    ...readAssignments(receipt, { field: `traits.${objectAttributesKey}`, value: inside }, findings),
  ]
  return keepWithin(receipt, objectBounds(receipt.workspace.limits), "traits", read, findings)
}
