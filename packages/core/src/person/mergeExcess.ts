import { countPresent } from "../attributes/attributeBounds.ts"
import { filledPreferences, preferencesOf } from "../state/storedPreferences.ts"
import { valueOf } from "../state/Attributes.ts"
import { dropTexts } from "../log/operationTexts.ts"
import type { Reason } from "../log/Reason.ts"
import { holdingsBytes } from "../decision/HoldingsBudget.ts"
import { holdingsBytesPerPersonMax, mergedHoldingsFactor, type Limits } from "../workspace/Limits.ts"
import { chosenByHand } from "../rule/definitions.ts"
import type { RuleIndex } from "../rule/RuleIndex.ts"
import type { Person } from "../state/Person.ts"
import { PreferencesDocument } from "../state/PreferencesDocument.ts"

/**
 * The amount of one kind of data (such as devices) in a merge. `total` is the amount that both people have together.
 * `added` is the amount that the secondary has and the primary lacks.
 */
interface HoldingsSum {
  readonly what: string
  readonly added: number
  readonly total: number
  readonly limit: number
}

/**
 * Returns the reason why two people have too much data to be merged; undefined if they can be merged. A merge must keep
 * the data of both people, so a merge that exceeds a limit is refused as a whole (contract §5 *merged limits*).
 */
export const mergeExcess = (
  rules: RuleIndex,
  limits: Limits,
  primary: Person,
  secondary: Person,
): Reason | undefined => {
  const excess = sumsOf(rules, limits, primary, secondary).find(
    ({ added, limit, total }) => added > 0 && total > limit * mergedHoldingsFactor,
  )
  if (excess === undefined) return undefined
  const { limit, total, what } = excess
  return dropTexts.tooMuchMerged({ what, total, max: limit * mergedHoldingsFactor })
}

const sumsOf = (
  rules: RuleIndex,
  limits: Limits,
  primary: Person,
  secondary: Person,
): ReadonlyArray<HoldingsSum> => {
  const related = [...secondary.relationships.keys()].filter((key) => !primary.relationships.has(key)).length
  const own = chosenByHand(rules, primary.segments)
  const segments = new Set([...own, ...chosenByHand(rules, secondary.segments)]).size
  const bytes = holdingsBytes(secondary)
  const preferences = new PreferencesDocument(preferencesOf(primary.attributes))
  const filled = new PreferencesDocument(filledPreferences(primary.attributes, secondary.attributes))
  return [
    sumOf(
      "merged identifiers",
      primary.attached.length,
      secondary.attached.length + 1,
      limits.identifiersPerPersonMax,
    ),
    sumOf(
      "anonymous ids",
      primary.anonymousIds.length,
      secondary.anonymousIds.length,
      limits.identifiersPerPersonMax,
    ),
    sumOf("devices", primary.devices.size, secondary.devices.size, limits.devicesPerPersonMax),
    sumOf("relationships", primary.relationships.size, related, limits.relationshipsPerPersonMax),
    sumOf("segments", own.length, segments - own.length, limits.segmentsPerPersonMax),
    sumOf("bytes of devices and relationships", holdingsBytes(primary), bytes, holdingsBytesPerPersonMax),
    sumOf("topics", preferences.topics, filled.topics - preferences.topics, limits.topicsPerPersonMax),
    sumOf(
      "bytes of subscription preferences",
      preferences.bytes,
      filled.bytes - preferences.bytes,
      limits.preferencesBytesMax,
    ),
    sumOf(
      "attributes",
      countPresent(primary.attributes, ofPerson),
      addedAttributes(primary, secondary),
      limits.attributesPerPersonMax,
    ),
  ]
}

const sumOf = (what: string, own: number, added: number, limit: number): HoldingsSum => ({
  what,
  added,
  total: own + added,
  limit,
})

const ofPerson = { hasReserved: true }

const addedAttributes = ({ attributes }: Person, secondary: Person): number => {
  const added = [...secondary.attributes].filter(([name]) => valueOf(attributes, name) === null)
  return countPresent(new Map(added), ofPerson)
}
