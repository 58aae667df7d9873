import { removedAttributesPerPersonMax } from "../workspace/Limits.ts"
import { isPreference, preferencePath, preferencesName } from "../state/preferenceBounds.ts"
import { isBefore } from "../values/Timestamp.ts"
import type { Attributes, Stamped } from "../state/Attributes.ts"

/**
 * Returns the attributes after an update. Only the newest `removedAttributesPerPersonMax` removals are stored.
 *
 * Subscription preferences of the update are moved to the end of the map, so that the map has them in order of arrival.
 * The order of arrival decides between preferences with equal times. The preferences object of an update comes before
 * its preferences with dotted names. Preferences with dotted names that are not newer than the object are dropped,
 * since nothing reads them.
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
