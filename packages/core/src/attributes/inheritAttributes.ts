import { sameJson } from "../values/Json.ts"
import { isPreference, preferencesName } from "../state/preferenceBounds.ts"
import { isBefore } from "../values/Timestamp.ts"
import type { Attributes, Stamped } from "../state/Attributes.ts"
import { filledPreferences, preferencesOf } from "../state/storedPreferences.ts"
import type { AttributeBounds } from "./attributeBounds.ts"
import { AttributesDraft, type UpdateResult } from "./AttributesDraft.ts"

/**
 * Returns the attributes that a person inherits from a visitor. Each attribute keeps its time. An attribute is left out
 * if the person has a value for this attribute, or removed the attribute at or after the visitor's time (contract §13).
 */
export const inheritAttributes = (
  own: Attributes,
  visitor: Attributes,
  bounds: AttributeBounds,
  visible: UpdateResult,
): Attributes =>
  addMissing(own, visitor, bounds, visible, true, (known, stamped) => !isBefore(known.at, stamped.at))

/**
 * Returns the attributes that the primary of a merge receives: those that the secondary has and the primary lacks,
 * whatever their times (contract §6). The limits do not apply (contract §5 *merged limits*).
 */
export const fillAttributes = (
  primary: Attributes,
  secondary: Attributes,
  bounds: AttributeBounds,
  visible: UpdateResult,
): Attributes => addMissing(primary, secondary, bounds, visible, false, () => false)

const addMissing = (
  own: Attributes,
  other: Attributes,
  bounds: AttributeBounds,
  visible: UpdateResult,
  isBounded: boolean,
  staysRemoved: (removed: Stamped, offered: Stamped) => boolean,
): Attributes => {
  const draft = new AttributesDraft(own, bounds, isBounded, visible, isBounded)
  if (bounds.hasReserved) fillPreferences(own, other, draft)
  for (const [name, stamped] of other) {
    if (bounds.hasReserved && isPreference(name)) continue
    const known = own.get(name)
    const stays = known !== undefined && (known.value !== null || staysRemoved(known, stamped))
    if (stamped.value !== null && !stays) draft.set(name, known, stamped)
  }
  return draft.written
}

/**
 * Adds to a person's subscription preferences the topics that only the other person or visitor has. Topics that the
 * person has set or removed stay as they are.
 */
const fillPreferences = (own: Attributes, other: Attributes, draft: AttributesDraft): void => {
  const before = preferencesOf(own)
  const after = filledPreferences(own, other)
  if (sameJson(before, after) || !draft.mayInheritPreferences(before)) return
  const times = [...own, ...other].flatMap(([name, { at }]) => (isPreference(name) ? [at] : []))
  draft.write(preferencesName, before, { value: after, at: Math.max(...times) })
}
