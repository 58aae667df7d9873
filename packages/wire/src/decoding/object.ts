import { objectBounds } from "@inlethq/core/attributes/attributeBounds"
import type { Assignment } from "@inlethq/core/state/Attributes"
import { svcObjectIdKey, type ObjectReference } from "@inlethq/core/values/Identifier"
import { isJsonObject } from "@inlethq/core/values/Json"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { keepWithin, readAssignments, type AttributeSource } from "./assignments.ts"
import { readBranded, unprefixed } from "./Brand.ts"
import type { Findings } from "./Findings.ts"
import type { Receipt } from "./Receipt.ts"
import { isAbsent, required, requiredText, type FieldValue } from "./fieldValues.ts"
import { readStamp } from "./timestamps.ts"
import { valueTexts } from "../texts/wireTexts.ts"

/** The type of an object if the request does not state a type (contract §9). */
const defaultTypeId = "1"

/** Reads a reference to an object: either a `svc_object_id`, or a type and an id (track-api §2.2, contract §9). */
export const readObjectReference = (
  receipt: Receipt,
  { field, value }: FieldValue,
  findings: Findings,
): ObjectReference | null => {
  if (isAbsent(value)) {
    findings.violations.push(required(field))
    return null
  }
  if (!isJsonObject(value)) {
    findings.violations.push(valueTexts.notObject(field))
    return null
  }
  const svcObjectId = readBranded(receipt.brand, value, "svc_object_id")
  if (!isAbsent(svcObjectId)) {
    const text = requiredText({ field: `${field}.svc_object_id`, value: svcObjectId }, Infinity, findings)
    return text === null ? null : bySvcObjectId(receipt, text)
  }
  return byTypeAndId(
    receipt,
    { field: `${field}.object_type_id`, value: value["object_type_id"] },
    { field: `${field}.object_id`, value: value["object_id"] },
    findings,
  )
}

/**
 * Reads the type and the id of an object. The type is optional. The type and the id have the size limit of object ids
 * (track-api §8).
 */
export const byTypeAndId = (
  { workspace: { limits } }: Receipt,
  type: FieldValue,
  id: FieldValue,
  findings: Findings,
): ObjectReference | null => {
  const bytesMax = limits.objectIdBytesMax
  const given = isAbsent(type.value) ? { field: type.field, value: defaultTypeId } : type
  const typeId = requiredText(given, bytesMax, findings)
  const objectId = requiredText(id, bytesMax, findings)
  return typeId === null || objectId === null ? null : { _tag: "ByTypeAndId", typeId, objectId }
}

const bySvcObjectId = ({ brand, workspace: { id } }: Receipt, text: string): ObjectReference => {
  const key = svcObjectIdKey(id, text) ?? svcObjectIdKey(id, unprefixed(brand, text) ?? "")
  return key === undefined ? { _tag: "BySvcObjectId", key: null, text } : { _tag: "BySvcObjectId", key }
}

const timestampName = "_timestamp"

/**
 * `svc_relationships` lists the people related to the object, so it is not an attribute (contract §9
 * *svc_relationships*).
 */
const relationshipsName = "svc_relationships"

/** The decoded attributes of an object. */
export interface ObjectReading {
  readonly assignments: ReadonlyArray<Assignment>
  /**
   * The time in `_timestamp`, which decides whether an update is newer than the stored values. Null if it is missing,
   * is not a time, or is more than a day later than receipt (contract §6, §8).
   */
  readonly at: EpochMillis | null
}

/** Reads the attributes of an object (track-api §2.2). */
export const readObjectAttributes = (
  receipt: Receipt,
  source: AttributeSource,
  findings: Findings,
): ObjectReading => {
  const skip = new Set(source.skip).add(timestampName).add(relationshipsName)
  const assignments = readAssignments(receipt, { ...source, skip }, findings)
  const { field, value } = source
  const timestamp = isJsonObject(value) ? value[timestampName] : null
  return {
    assignments: keepWithin(receipt, objectBounds(receipt.workspace.limits), field, assignments, findings),
    at: readStamp(receipt, { field: `${field}.${timestampName}`, value: timestamp }, findings.faults),
  }
}
