import { unsubscribedName, valueOf } from "../state/Attributes.ts"
import { creationOf } from "../state/creationOf.ts"
import { preferencesName } from "../state/preferenceBounds.ts"
import { preferenceAt, preferencesOf } from "../state/storedPreferences.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import { meetsAll } from "./evaluateLeaf.ts"
import { attributeFields, deviceFields, objectFields, personFields, valuesAt } from "./fields.ts"
import {
  insideOf,
  isMember,
  Moment,
  placed,
  ringOf,
  type KeyedRule,
  type Known,
  type Placed,
  type PlacedLeaf,
} from "./Moment.ts"
import type { Evidence, Proof } from "./Proof.ts"
import { isCounting } from "./Rule.ts"

/** The largest number of times after the present at which a rule is evaluated to find out when its parts change. */
const timesAheadMax = 500

/** Explains why a rule holds or does not hold for a person, and when time alone will change that. */
export const explainRule = (rule: KeyedRule, known: Known): Proof => {
  const root = placed(rule)
  const present = new Moment(known, known.now, root)
  const unchanged = new Set(insideOf(root))
  const flips = new Map<Placed, EpochMillis>()
  let { next } = present
  for (let looked = 0; looked < timesAheadMax && next !== null && unchanged.size > 0; looked++) {
    const moment = new Moment(known, next, root)
    for (const part of unchanged) {
      if (moment.holds(part) === present.holds(part)) continue
      unchanged.delete(part)
      flips.set(part, moment.now)
    }
    next = moment.next
  }
  const proofOf = (part: Placed): Proof => {
    const shared = { path: part.path, holds: present.holds(part), flipsAt: flips.get(part) ?? null }
    return part._tag === "Leaf"
      ? { ...shared, _tag: "Leaf", leaf: part.leaf, evidence: evidenceOf(part, known) }
      : { ...shared, _tag: part._tag, parts: part.parts.map(proofOf) }
  }
  return proofOf(root)
}

const evidenceOf = ({ key, leaf }: PlacedLeaf, explained: Known): Evidence => {
  const { now, person, subjects } = explained
  if (isCounting(leaf)) {
    const { window } = leaf
    const ring = ringOf(explained, leaf, key)
    const counted = window._tag === "Within" ? ring.filter(({ at }) => now < at + window.ms) : ring
    return { _tag: "Counted", counted }
  }
  switch (leaf._tag) {
    case "HasAttribute": {
      const { any, field } = leaf.condition
      return { _tag: "Values", path: field, values: valuesAt(personFields(person), field, any) }
    }
    case "HasIdentifier": {
      const value = leaf.kind === "anonymous_id" ? null : person[leaf.kind]
      const values = leaf.kind === "anonymous_id" ? person.anonymousIds : value === null ? [] : [value]
      return { _tag: "Identifiers", values }
    }
    case "Aged":
      return { _tag: "Created", at: creationOf(person) }
    case "HasDevice": {
      const met = [...person.devices].filter(([token, device]) =>
        meetsAll(leaf.where, deviceFields(token, device), now),
      )
      return { _tag: "Devices", tokens: met.map(([token]) => token) }
    }
    case "Related": {
      const objects = [...person.relationships].flatMap(([object, attributes]) => {
        const found = subjects.get(object)
        return found?._tag === "DataObject" &&
          found.typeId === leaf.typeId &&
          meetsAll(leaf.where, attributeFields(attributes), now) &&
          meetsAll(leaf.object, objectFields(found), now)
          ? [{ typeId: found.typeId, objectId: found.objectId }]
          : []
      })
      return { _tag: "Objects", objects }
    }
    case "Unsubscribed": {
      const value = valueOf(person.attributes, unsubscribedName)
      return { _tag: "Values", path: unsubscribedName, values: value === null ? [] : [value] }
    }
    case "Subscribed": {
      const value = preferenceAt(preferencesOf(person.attributes), ["topics", leaf.topic])
      const path = `${preferencesName}.topics.${leaf.topic}`
      return { _tag: "Values", path, values: value === null ? [] : [value] }
    }
    case "InSegment":
      return {
        _tag: "Membership",
        segment: leaf.segment,
        member: isMember(explained, leaf.segment),
      }
  }
}
