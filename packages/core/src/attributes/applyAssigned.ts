import { removedAttributesPerPersonMax } from "../workspace/Limits.ts"
import { isPreference, preferencePath, preferencesName } from "../state/preferenceBounds.ts"
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
  if (current.size === 0 && whole === undefined && entries.size <= removedAttributesPerPersonMax)
    return entries
  const next = new Map(current)
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
    if (name.startsWith(preferencePath)) next.delete(name)
    next.set(name, stamped)
    removal ||= stamped.value === null
  }
  return removal ? forgetOldRemovals(next) : next
}

const forgetOldRemovals = (attributes: Map<string, Stamped>): Attributes => {
  const removed = [...attributes].filter(([, { value }]) => value === null)
  const excess = removed.length - removedAttributesPerPersonMax
  if (excess <= 0) return attributes
  for (const [name] of removed.toSorted(([, a], [, b]) => a.at - b.at).slice(0, excess))
    attributes.delete(name)
  return attributes
}
