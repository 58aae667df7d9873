import { attributeBytes, type Assignment } from "@inlethq/core/state/Attributes"
import type { AttributeBounds } from "@inlethq/core/attributes/attributeBounds"
import { exceedsBytes, isJsonObject, type Json } from "@inlethq/core/values/Json"
import type { Limits } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import { canonicalName } from "./Brand.ts"
import type { Findings } from "./Findings.ts"
import { withDroppedNames } from "./droppedNames.ts"
import { jsonDepthMax, measure } from "./measure.ts"
import type { Receipt } from "./Receipt.ts"
import { isAbsent, isEmptyArray, type FieldValue } from "./fieldValues.ts"
import { attributeTexts, valueTexts } from "../texts/wireTexts.ts"

/** A request value that must be an object of attributes. `skip` lists the keys that are not attributes. */
export interface AttributeSource extends FieldValue {
  readonly skip?: ReadonlySet<string>
}

/**
 * Reads the attributes of an object, relationship or device. The values null and "" remove an attribute (contract §9,
 * §10).
 */
export const readAssignments = (
  receipt: Receipt,
  { field, skip, value }: AttributeSource,
  { violations }: Findings,
): ReadonlyArray<Assignment> => {
  if (isAbsent(value) || isEmptyArray(value)) return []
  if (!isJsonObject(value)) {
    violations.push(valueTexts.notObject(field))
    return []
  }
  const assignments: Array<Assignment> = []
  for (const key of Object.keys(value)) {
    const name = canonicalName(receipt.brand, key)
    if (skip?.has(name) === true) continue
    const assigned = value[key] ?? null
    const wrong = attributeFault(receipt, `${field}.`, name, assigned)
    if (wrong === undefined) assignments.push({ name, value: assigned })
    else violations.push(wrong)
  }
  return assignments
}

/**
 * Returns the attributes that fit the limits on their number and their total bytes. Adds a violation for each exceeded
 * limit.
 */
export const keepWithin = (
  receipt: Receipt,
  { bytesMax, countMax }: Pick<AttributeBounds, "bytesMax" | "countMax">,
  field: string,
  assignments: ReadonlyArray<Assignment>,
  { violations }: Findings,
): ReadonlyArray<Assignment> => {
  const counted = assignments.length > countMax ? assignments.slice(0, countMax) : assignments
  if (counted.length < assignments.length) {
    const wrong = attributeTexts.tooManyOfObject(field, { max: countMax })
    const naming = (names: string) => attributeTexts.tooManyOfObjectNamed(field, { max: countMax, names })
    violations.push(withDroppedNames(receipt, wrong, assignments.slice(countMax), naming))
  }
  if (bytesMax === Infinity) return counted
  let room = bytesMax
  const kept = counted.filter(({ name, value }) => (room -= attributeBytes(name, value)) >= 0)
  if (kept.length < counted.length) {
    const wrong = attributeTexts.tooLargeOfObject(field, { bytes: bytesMax })
    const naming = (names: string) => attributeTexts.tooLargeOfObjectNamed(field, { bytes: bytesMax, names })
    violations.push(withDroppedNames(receipt, wrong, counted.slice(kept.length), naming))
  }
  return kept
}

/**
 * Returns the fault of an attribute, as `assignmentFault` does. In Pipelines, the fault of a name that is too long also
 * shows the beginning of the name.
 */
export const attributeFault = (
  receipt: Receipt,
  path: string,
  name: string,
  value: Json,
): Fault | undefined => {
  const { limits } = receipt.workspace
  const wrong = nameFault(limits, path, name)
  if (wrong === undefined) return valueFault(limits, path, name, value)
  const bytes = limits.attributeNameBytesMax
  const naming = (names: string) => attributeTexts.nameTooLongNamed(wrong.field, { bytes, names })
  return withDroppedNames(receipt, wrong, [{ name, value }], naming)
}

/**
 * Returns the fault of an attribute with a name or value that is too long, nested too deep or out of range (track-api
 * §8). `path` is written before the attribute's name in the fault.
 */
export const assignmentFault = (limits: Limits, path: string, name: string, value: Json): Fault | undefined =>
  nameFault(limits, path, name) ?? valueFault(limits, path, name, value)

const nameFault = ({ attributeNameBytesMax: bytesMax }: Limits, path: string, name: string) =>
  exceedsBytes(name, bytesMax)
    ? attributeTexts.nameTooLong(path === "" ? "" : path.slice(0, -1), { bytes: bytesMax })
    : undefined

const valueFault = (limits: Limits, path: string, name: string, value: Json): Fault | undefined => {
  const bytesMax = limits.attributeValueBytesMax
  const tooLong = () => attributeTexts.valueTooLong(path + name, { attribute: name, bytes: bytesMax })
  if (typeof value === "string") return exceedsBytes(value, bytesMax) ? tooLong() : undefined
  if (typeof value === "number" && !Number.isFinite(value)) {
    return attributeTexts.outOfRange(path + name, { attribute: name })
  }
  if (typeof value !== "object" || value === null) return undefined
  switch (measure(value, bytesMax)) {
    case "fits":
      return undefined
    case "too_large":
      return tooLong()
    case "unfit":
      return attributeTexts.unfit(path + name, { attribute: name, levels: jsonDepthMax })
  }
}
