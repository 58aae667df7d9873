import { Result } from "effect"
import { envelope } from "../decoding/envelope.ts"
import { noFindings } from "../decoding/Findings.ts"
import { readObjectReference } from "../decoding/object.ts"
import { reject } from "../decoding/reject.ts"
import { readObjectEntries, readPersonEntries, type RelationshipAction } from "../decoding/relationships.ts"
import { isAbsent, required } from "../decoding/fieldValues.ts"
import { addressOf, orderOf, relationshipsOf, type Decode } from "./item.ts"

const kinds = { add: "add_relationships", delete: "delete_relationships" } as const

/** Decodes `add_relationships` and `delete_relationships` of a person (track-api §4.2). */
export const decodePersonRelationships =
  (action: RelationshipAction): Decode =>
  (receipt, item) => {
    const findings = noFindings()
    const address = addressOf(receipt, item, true)
    if (Result.isFailure(address)) findings.violations.push(...address.failure)
    const related = relationshipsOf(receipt, item)
    if (isAbsent(related.value)) findings.violations.push(required(related.field))
    const entries = readObjectEntries(receipt, action, related, findings)
    if (Result.isFailure(address) || findings.violations.length > 0) {
      return Result.fail(reject(receipt, kinds[action], findings.violations))
    }
    const at = orderOf(receipt, item, null, findings)
    const { target } = address.success
    return Result.succeed({
      ...envelope("ChangeRelationships", receipt, { at, faults: findings.faults }),
      target,
      action,
      entries,
    })
  }

/** Decodes `add_relationships` and `delete_relationships` of an object (track-api §4.2). */
export const decodeObjectRelationships =
  (action: RelationshipAction): Decode =>
  (receipt, item) => {
    const findings = noFindings()
    const identifiers = { field: "identifiers", value: item["identifiers"] }
    const object = readObjectReference(receipt, identifiers, findings)
    const related = relationshipsOf(receipt, item)
    if (isAbsent(related.value)) findings.violations.push(required(related.field))
    const entries = readPersonEntries(receipt, action, "people", related, findings)
    if (object === null || findings.violations.length > 0) {
      return Result.fail(reject(receipt, kinds[action], findings.violations))
    }
    const at = orderOf(receipt, item, null, findings)
    return Result.succeed({
      ...envelope("ChangeObjectRelationships", receipt, { at, faults: findings.faults }),
      object,
      action,
      entries,
    })
  }
