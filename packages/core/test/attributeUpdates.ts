import { assignAttributes as assignTo } from "../src/attributes/assignAttributes.ts"
import { inheritAttributes as inheritTo } from "../src/attributes/inheritAttributes.ts"
import { noAttributes, type Assignment, type Attributes } from "@inlethq/core/state/Attributes"
import { personBounds } from "@inlethq/core/attributes/attributeBounds"
import { applyAssigned } from "../src/attributes/applyAssigned.ts"
import type { UpdateResult } from "../src/attributes/AttributesDraft.ts"
import type { Json } from "@inlethq/core/values/Json"
import { defaultLimits, type Limits } from "@inlethq/core/workspace/Limits"

/** Returns the attributes that an update sets, the field changes that its log entry shows, and its faults. */
export const collected = (of: (draft: UpdateResult) => Attributes) => {
  const { fields, faults }: UpdateResult = { fields: [], faults: [] }
  const set = of({ fields, faults })
  return { set, changes: fields, faults }
}

export const assign = (
  current: Attributes,
  assignments: ReadonlyArray<Assignment>,
  at: number,
  limits: Limits,
  receivedAt = Number.MAX_SAFE_INTEGER,
) => collected((draft) => assignTo(current, assignments, { at, receivedAt }, personBounds(limits), draft))

export const inherit = (person: Attributes, visitor: Attributes, limits: Limits) =>
  collected((draft) => inheritTo(person, visitor, personBounds(limits), draft))

/** The time of an update, and the attributes that it sets. */
export type Update = readonly [at: number, set: Readonly<Record<string, Json>>]

/** Returns the attributes after a sequence of updates. */
export const after = (...updates: ReadonlyArray<Update>): Attributes => upTo(300, updates)

const upTo = (attributesPerPersonMax: number, updates: ReadonlyArray<Update>): Attributes =>
  updates.reduce<Attributes>((attributes, update) => {
    const { set } = applyTo(attributes, update, attributesPerPersonMax)
    return applyAssigned(attributes, set)
  }, noAttributes)

export const applyTo = (attributes: Attributes, [at, set]: Update, attributesPerPersonMax: number) =>
  assign(
    attributes,
    Object.entries(set).map(([name, value]) => ({ name, value })),
    at,
    { ...defaultLimits, attributesPerPersonMax },
  )

/** Returns `count` attributes with different names. */
export const many = (count: number, prefix = "a"): Readonly<Record<string, Json>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]))
