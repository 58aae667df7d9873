import { attributeBytes, type Assignment, type AttributeBounds } from "@inlet/core/state/Attributes"
import { exceedsBytes, isJsonObject, type Json } from "@inlet/core/values/Json"
import type { Limits } from "@inlet/core/workspace/Limits"
import type { Fault } from "@inlet/core/log/Outcome"
import { canonicalName } from "./Brand.ts"
import type { Findings } from "./Findings.ts"
import { leavingOut } from "./leftOut.ts"
import { jsonDepthMax, measure } from "./measure.ts"
import type { Receipt } from "./Receipt.ts"
import { isAbsent, type Given } from "./texts.ts"
import { attributeFaults, valueFaults } from "./faults.ts"

/** An object of attributes, and the keys of it that are none. */
export interface AttributeSource extends Given {
  readonly skip?: ReadonlySet<string>
}

/** Reads attributes of what is no person; null and "" remove one (contract §9, §10). */
export const readAssignments = (
  receipt: Receipt,
  { field, skip, value }: AttributeSource,
  { violations }: Findings,
): ReadonlyArray<Assignment> => {
  if (isAbsent(value)) return []
  if (!isJsonObject(value)) {
    violations.push(valueFaults.notObject(field))
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

/** What is left of attributes once those past their number or their bytes in all are left out. */
export const keepWithin = (
  receipt: Receipt,
  { bytesMax, countMax }: Pick<AttributeBounds, "bytesMax" | "countMax">,
  field: string,
  assignments: ReadonlyArray<Assignment>,
  { violations }: Findings,
): ReadonlyArray<Assignment> => {
  const counted = assignments.length > countMax ? assignments.slice(0, countMax) : assignments
  if (counted.length < assignments.length) {
    const wrong = attributeFaults.tooManyOfObject(field, { max: countMax })
    violations.push(leavingOut(receipt, wrong, assignments.slice(countMax)))
  }
  if (bytesMax === Infinity) return counted
  let room = bytesMax
  const kept = counted.filter(({ name, value }) => (room -= attributeBytes(name, value)) >= 0)
  if (kept.length < counted.length) {
    const wrong = attributeFaults.tooLargeOfObject(field, { bytes: bytesMax })
    violations.push(leavingOut(receipt, wrong, counted.slice(kept.length)))
  }
  return kept
}

/** As `assignmentFault`, and names the attribute where it alone is left out. */
export const attributeFault = (
  receipt: Receipt,
  path: string,
  name: string,
  value: Json,
): Fault | undefined => {
  const { limits } = receipt.workspace
  const wrong = nameFault(limits, path, name)
  return wrong === undefined ? valueFault(limits, path, name, value) : leavingOut(receipt, wrong, [{ name }])
}

/**
 * What is wrong with an attribute (track-api §8): its name or its value is too long, or nested without end. `path` stands
 * before its name in the path of the fault.
 */
export const assignmentFault = (limits: Limits, path: string, name: string, value: Json): Fault | undefined =>
  nameFault(limits, path, name) ?? valueFault(limits, path, name, value)

const nameFault = ({ attributeNameBytesMax: bytesMax }: Limits, path: string, name: string) =>
  exceedsBytes(name, bytesMax)
    ? attributeFaults.nameTooLong(path === "" ? "" : path.slice(0, -1), { bytes: bytesMax })
    : undefined

const valueFault = (limits: Limits, path: string, name: string, value: Json): Fault | undefined => {
  const bytesMax = limits.attributeValueBytesMax
  const tooLong = () => attributeFaults.valueTooLong(path + name, { attribute: name, bytes: bytesMax })
  if (typeof value === "string") return exceedsBytes(value, bytesMax) ? tooLong() : undefined
  if (typeof value === "number" && !Number.isFinite(value)) {
    return attributeFaults.outOfRange(path + name, { attribute: name })
  }
  if (typeof value !== "object" || value === null) return undefined
  switch (measure(value, bytesMax)) {
    case "fits":
      return undefined
    case "too_large":
      return tooLong()
    case "unfit":
      return attributeFaults.unfit(path + name, { attribute: name, levels: jsonDepthMax })
  }
}
