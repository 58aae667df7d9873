import { removedAttributesPerPersonMax } from "../workspace/Limits.ts"
import { isPreference, isPreferencePath, preferencesName } from "../state/preferenceBounds.ts"
import { isBefore } from "../values/Timestamp.ts"
import type { Attributes, Stamped } from "../state/Attributes.ts"

/**
 * Returns the attributes after an update. A removed attribute stays in the map with its time of removal, but only the
 * newest `removedAttributesPerPersonMax` removals are kept.
 *
 * The map contains subscription preferences in order of arrival: if two preferences have the same time, the later
 * arrival wins. The preferences in an update therefore move to the end of the map, first the preferences object and
 * then the preferences with dotted names. If an update contains the preferences object, stored preferences that are not
 * newer than this object are dropped, because nothing reads them.
 */
export const applyAssigned = (current: Attributes, entries: Attributes): Attributes => {
  const whole = entries.get(preferencesName)
  if (whole === undefined && entries.size <= removedAttributesPerPersonMax && beginsWith(entries, current))
    return entries
  // Copying one by one takes half as long as `new Map(current)`.
  const next = new Map<string, Stamped>()
  for (const [name, stamped] of current) next.set(name, stamped)
  if (whole !== undefined) {
    for (const [name, { at }] of current) {
      if (isPreference(name) && !isBefore(whole.at, at)) next.delete(name)
    }
    next.delete(preferencesName)
    next.set(preferencesName, whole)
  }
  let removal = whole?.value === null
  for (const [name, stamped] of entries) {
    if (name === preferencesName) continue
    if (isPreferencePath(name)) next.delete(name)
    next.set(name, stamped)
    removal ||= stamped.value === null
  }
  return removal ? forgetOldRemovals(next) : next
}

/** Returns whether an update sets all current attributes in their order, and then perhaps others, so that nothing else is left. */
const beginsWith = (entries: Attributes, current: Attributes): boolean => {
  if (entries.size < current.size) return false
  const names = entries.keys()
  for (const name of current.keys()) if (names.next().value !== name || isPreference(name)) return false
  return true
}

const forgetOldRemovals = (attributes: Map<string, Stamped>): Attributes => {
  const removed = [...attributes].filter(([, { value }]) => value === null)
  const excess = removed.length - removedAttributesPerPersonMax
  if (excess <= 0) return attributes
  for (const [name] of removed.toSorted(([, a], [, b]) => a.at - b.at).slice(0, excess))
    attributes.delete(name)
  return attributes
}
