import { Result } from "effect"
import { envelope } from "../decoding/envelope.ts"
import { noFindings } from "../decoding/Findings.ts"
import { readObjectAttributes, readObjectReference } from "../decoding/object.ts"
import { reject } from "../decoding/reject.ts"
import { readPersonEntries, readPersonList, type RelatedKind } from "../decoding/relationships.ts"
import { orderOf, relationshipsInAttributes, relationshipsOf, type Decode } from "./item.ts"
import { decodeObjectRelationships } from "./relationships.ts"

/**
 * Decodes `identify` and `identify_anonymous` of an object. `party` says whether the action relates people or anonymous
 * visitors to the object (track-api §2.2, §4.2).
 */
const decodeIdentifyObject =
  (party: RelatedKind): Decode =>
  (receipt, item) => {
    const findings = noFindings()
    const identifiers = { field: "identifiers", value: item["identifiers"] }
    const object = readObjectReference(receipt, identifiers, findings)
    const attributes = { field: "attributes", value: item["attributes"] }
    const reading = readObjectAttributes(receipt, attributes, findings)
    const entries = [
      ...readPersonEntries(receipt, "add", party, relationshipsOf(receipt, item), findings),
      ...readPersonList(receipt, party, relationshipsInAttributes(receipt, item), findings),
    ]
    if (object === null || findings.violations.length > 0) {
      return Result.fail(reject(receipt, "object_identify", findings.violations))
    }
    const at = orderOf(receipt, item, reading.at, findings)
    return Result.succeed({
      ...envelope("IdentifyObject", receipt, { at, faults: findings.faults }),
      object,
      assignments: reading.assignments,
      entries,
    })
  }

const decodeDeleteObject: Decode = (receipt, item) => {
  const findings = noFindings()
  const identifiers = { field: "identifiers", value: item["identifiers"] }
  const object = readObjectReference(receipt, identifiers, findings)
  return object === null
    ? Result.fail(reject(receipt, "object_delete", findings.violations))
    : Result.succeed({ ...envelope("DeleteObject", receipt), object })
}

/** The actions of an object and their decoders (track-api §4.2). */
export const objectActions: ReadonlyMap<string, Decode> = new Map([
  ["identify", decodeIdentifyObject("people")],
  ["identify_anonymous", decodeIdentifyObject("visitors")],
  ["delete", decodeDeleteObject],
  ["add_relationships", decodeObjectRelationships("add")],
  ["delete_relationships", decodeObjectRelationships("delete")],
])
