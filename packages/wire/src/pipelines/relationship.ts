import { objectBounds } from "@inlethq/core/attributes/attributeBounds"
import type { Assignment } from "@inlethq/core/state/Attributes"
import type { JsonObject } from "@inlethq/core/values/Json"
import { keepWithin, readAssignments } from "../decoding/assignments.ts"
import type { Findings } from "../decoding/Findings.ts"
import type { Receipt } from "../decoding/Receipt.ts"

/** The accepted spellings of the key that holds the type of an object. */
export const typeKeys = ["object_type_id", "objectTypeId"] as const

/** The accepted spellings of the key that holds the attributes of a relationship (contract §13). */
const attributeKeys = ["relationship_traits", "relationshipAttributes", "relationship_attributes"] as const

/** Traits that describe a relationship, or that name the type of the related object. */
export const relationshipKeys: ReadonlyArray<string> = [...typeKeys, ...attributeKeys]

/** Reads the attributes of a relationship between a person and an object from the traits of a call. */
export const readRelationshipTraits = (
  receipt: Receipt,
  traits: JsonObject,
  findings: Findings,
): ReadonlyArray<Assignment> => {
  const read = attributeKeys.flatMap((key) =>
    readAssignments(receipt, { field: `traits.${key}`, value: traits[key] }, findings),
  )
  return read.length === 0
    ? read
    : keepWithin(
        receipt,
        objectBounds(receipt.workspace.limits),
        "traits.relationship_traits",
        read,
        findings,
      )
}
