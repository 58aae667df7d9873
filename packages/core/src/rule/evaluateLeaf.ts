import type { ActivityEntry } from "../log/ActivityEntry.ts"
import { unsubscribedName, valueOf } from "../state/Attributes.ts"
import { isTrue } from "../values/flags.ts"
import { creationOf } from "../state/creationOf.ts"
import type { Person } from "../state/Person.ts"
import type { Subject } from "../state/Subject.ts"
import { preferenceAt, preferencesOf } from "../state/storedPreferences.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import type { Json } from "../values/Json.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import {
  attributeFields,
  deviceFields,
  eventValuesAt,
  objectFields,
  personFields,
  valuesAt,
  type Fields,
} from "./fields.ts"
import type { Ring } from "../state/LeafState.ts"
import { satisfies, truthOfRing, type Truth } from "./Ring.ts"
import type { Condition, Leaf } from "./Rule.ts"
import { flipOf, passes } from "./testValue.ts"

/** What the leaves of a person are decided by. */
export interface Facts {
  readonly person: Person
  readonly now: EpochMillis
  /** Finds the objects that the person is related to. */
  readonly subjects: ReadonlyMap<SubjectKey, Subject>
}

/** Returns whether a leaf holds for a person, and when time alone may change that. */
export const evaluateLeaf = (leaf: Leaf, facts: Facts, ring: Ring): Truth => {
  const { now, person } = facts
  switch (leaf._tag) {
    case "Occurred":
    case "Reported":
    case "Submitted":
      return truthOfRing(ring, leaf.count, leaf.window, now)
    case "HasAttribute":
      return all([leaf.condition], personFields(person), now)
    case "HasIdentifier":
      return lasting(
        leaf.kind === "anonymous_id" ? person.anonymousIds.length > 0 : person[leaf.kind] !== null,
      )
    case "Aged": {
      const since = creationOf(person) + leaf.ms
      const isOld = since <= now
      return { holds: isOld === (leaf.operator === "gte"), flipsAt: isOld ? null : since }
    }
    case "HasDevice":
      return deviceTruth(leaf.where, facts)
    case "Related":
      return relatedTruth(leaf, facts)
    case "Unsubscribed":
      return lasting(isTrue(valueOf(person.attributes, unsubscribedName)) === leaf.value)
    case "Subscribed": {
      const value = preferenceAt(preferencesOf(person.attributes), ["topics", leaf.topic])
      return lasting(value !== null && isTrue(value) === leaf.value)
    }
    case "InSegment":
      return lasting(person.segments.includes(leaf.segment))
  }
}

const lasting = (holds: boolean): Truth => ({ holds, flipsAt: null })

const earlier = (one: EpochMillis | null, other: EpochMillis | null): EpochMillis | null =>
  one === null ? other : other === null ? one : Math.min(one, other)

/**
 * Returns whether all conditions are met. The time is the earliest at which one of them changes, which need not change
 * the result.
 */
const all = (conditions: ReadonlyArray<Condition>, fields: Fields, now: EpochMillis): Truth =>
  allWith(conditions, (path, any) => valuesAt(fields, path, any), now)

/** Returns the values that the field of a condition names. */
type ValuesOf = (path: string, any: boolean) => ReadonlyArray<Json>

const allWith = (conditions: ReadonlyArray<Condition>, valuesOf: ValuesOf, now: EpochMillis): Truth => {
  let holds = true
  let flipsAt: EpochMillis | null = null
  for (const { any, field, test } of conditions) {
    let isMet = false
    for (const given of valuesOf(field, any)) {
      const value = field === "email" && typeof given === "string" ? given.toLowerCase() : given
      if (passes(test, value, now)) isMet = true
      flipsAt = earlier(flipsAt, flipOf(test, value, now))
    }
    if (!isMet) holds = false
  }
  return { holds, flipsAt }
}

/** Returns whether an occurrence meets the conditions of a leaf. Times are compared with its own time. */
export const meetsAll = (conditions: ReadonlyArray<Condition>, fields: Fields, at: EpochMillis): boolean =>
  conditions.length === 0 || all(conditions, fields, at).holds

/** Returns whether an event meets the conditions of a leaf, as `meetsAll` does. */
export const eventMeetsAll = (
  conditions: ReadonlyArray<Condition>,
  event: Pick<ActivityEntry, "data" | "provenance">,
  at: EpochMillis,
): boolean =>
  conditions.length === 0 || allWith(conditions, (path, any) => eventValuesAt(event, path, any), at).holds

const deviceTruth = (where: ReadonlyArray<Condition>, { now, person }: Facts): Truth => {
  let holds = false
  let flipsAt: EpochMillis | null = null
  for (const [token, device] of person.devices) {
    const one = all(where, deviceFields(token, device), now)
    if (one.holds) holds = true
    flipsAt = earlier(flipsAt, one.flipsAt)
  }
  return { holds, flipsAt }
}

const relatedTruth = (
  leaf: Extract<Leaf, { readonly _tag: "Related" }>,
  { now, person, subjects }: Facts,
): Truth => {
  let times = 0
  let flipsAt: EpochMillis | null = null
  for (const [key, attributes] of person.relationships) {
    const object = subjects.get(key)
    if (object?._tag !== "DataObject" || object.typeId !== leaf.typeId) continue
    const relationship = all(leaf.where, attributeFields(attributes), now)
    const related = all(leaf.object, objectFields(object), now)
    if (relationship.holds && related.holds) times++
    flipsAt = earlier(flipsAt, earlier(relationship.flipsAt, related.flipsAt))
  }
  return { holds: satisfies(leaf.count, times), flipsAt }
}
