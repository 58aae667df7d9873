import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { nameSearch } from "@inlethq/core/log/NameSearch"
import { reportNamed } from "@inlethq/core/state/metricEventNames"
import type { Condition, CountingLeaf, Count, Rule, StateLeaf } from "@inlethq/core/rule/Rule"
import { attributesToJson, valueOf } from "@inlethq/core/state/Attributes"
import { isTrue } from "@inlethq/core/values/flags"
import type { Person } from "@inlethq/core/state/Person"
import type { Subject } from "@inlethq/core/state/Subject"
import { preferencesOf } from "@inlethq/core/state/storedPreferences"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { deviceDocument, objectDocument, personDocument } from "./documents.ts"
import { exists, meets } from "./naiveConditions.ts"

/*
 * Decides membership in the slowest and plainest way: for each person and each rule, reads the person and the whole log.
 * It shares no code with what the stores use, only the decoded rules, so that the two can be compared.
 */

/** What membership depends on. */
export interface World {
  readonly subjects: ReadonlyMap<SubjectKey, Subject>
  readonly entries: ReadonlyArray<ActivityEntry>
  /** The rules of the segments that have one which is in force. */
  readonly rules: ReadonlyMap<SubjectKey, Rule>
  /** Returns whether a person is in a segment without such a rule. */
  readonly isMember: (person: Person, segment: SubjectKey) => boolean
  readonly now: number
}

/** Returns the people in each segment that has a rule, in the order of their keys. */
export const naiveMembers = (world: World): ReadonlyMap<SubjectKey, ReadonlyArray<SubjectKey>> =>
  new Map(
    Array.from(world.rules, ([segment, rule]) => [
      segment,
      [...world.subjects.values()]
        .flatMap((subject) => (subject._tag === "Person" && holds(world, subject, rule) ? [subject.key] : []))
        .toSorted((a, b) => a - b),
    ]),
  )

/** Returns whether a rule holds for a person. */
const holds = (world: World, person: Person, rule: Rule): boolean => {
  switch (rule._tag) {
    case "And":
      return rule.rules.every((part) => holds(world, person, part))
    case "Or":
      return rule.rules.some((part) => holds(world, person, part))
    case "Not":
      return !holds(world, person, rule.rule)
    case "OldEnough":
      return holds(world, person, rule.rule) && world.now - creation(person) >= rule.ms
    case "Occurred":
    case "Reported":
    case "Submitted":
      return satisfies(rule.count, timesOf(world, person, rule).length)
    case "HasAttribute":
    case "HasIdentifier":
    case "Aged":
    case "HasDevice":
    case "Related":
    case "Unsubscribed":
    case "Subscribed":
    case "InSegment":
      return holdsState(world, person, rule)
  }
}

const holdsState = (world: World, person: Person, leaf: StateLeaf): boolean => {
  const { now, rules, subjects } = world
  switch (leaf._tag) {
    case "HasAttribute":
      return meets(personDocument(person), leaf.condition, now)
    case "HasIdentifier":
      return leaf.kind === "anonymous_id" ? person.anonymousIds.length > 0 : person[leaf.kind] !== null
    case "Aged":
      return now - creation(person) >= leaf.ms === (leaf.operator === "gte")
    case "HasDevice":
      return [...person.devices].some(([token, device]) =>
        leaf.where.every((condition) => meets(deviceDocument(token, device), condition, now)),
      )
    case "Related": {
      const related = [...person.relationships].filter(([key, attributes]) => {
        const object = subjects.get(key)
        return (
          object?._tag === "DataObject" &&
          object.typeId === leaf.typeId &&
          leaf.where.every((condition) => meets(attributesToJson(attributes), condition, now)) &&
          leaf.object.every((condition) => meets(objectDocument(object), condition, now))
        )
      })
      return satisfies(leaf.count, related.length)
    }
    case "Unsubscribed":
      return isTrue(valueOf(person.attributes, "unsubscribed")) === leaf.value
    case "Subscribed": {
      const { topics } = preferencesOf(person.attributes)
      const value =
        isJsonObject(topics) && Object.hasOwn(topics, leaf.topic) ? (topics[leaf.topic] ?? null) : null
      return value !== null && isTrue(value) === leaf.value
    }
    case "InSegment": {
      const rule = rules.get(leaf.segment)
      return rule === undefined ? world.isMember(person, leaf.segment) : holds(world, person, rule)
    }
  }
}

/** The `created_at` that is shown of a person. Scripts give it in seconds, or as something that is no time. */
const creation = (person: Person): number => {
  const { created_at: shown } = personDocument(person)
  return typeof shown === "number" ? shown * 1000 : person.createdAt
}

const satisfies = ({ n, operator }: Count, times: number): boolean => {
  switch (operator) {
    case "gte":
      return times >= n
    case "lte":
      return times <= n
    case "eq":
      return times === n
  }
}

/** Returns the times in the window of a leaf at which what it counts happened. */
const timesOf = ({ entries, now }: World, person: Person, leaf: CountingLeaf): ReadonlyArray<number> =>
  entries
    .filter((entry) => tookEffect(entry) && isOf(person, entry))
    .filter((entry) => isCounted(leaf, entry))
    .map(countedAt)
    .filter((at) => {
      switch (leaf.window._tag) {
        case "AllTime":
          return true
        case "Within":
          return now < at + leaf.window.ms
        case "Between":
          return leaf.window.from <= at && at < leaf.window.to
      }
    })

/** A clock that is ahead cannot reserve the future. */
const countedAt = ({ at, receivedAt }: ActivityEntry): number => Math.min(at, receivedAt)

const tookEffect = ({ outcome }: ActivityEntry): boolean =>
  outcome === "applied" || outcome === "created" || outcome === "partial" || outcome === "pending"

/** Returns whether an entry is about a person, or about a visitor or merged person that belongs to them. */
const isOf = (person: Person, { receivedAt, subject }: ActivityEntry): boolean =>
  subject === person.key || person.attached.some(({ key, since }) => subject === key && receivedAt >= since)

/** Returns what the field of a condition on an event is in: the context of the call, or else the data. */
const documentOf = ({ data, provenance }: ActivityEntry, { any, field }: Condition): Json => {
  const told = { context: provenance?.context ?? null }
  return field.startsWith("context.") && exists(told, { any, field }) ? told : data
}

const isCounted = (leaf: CountingLeaf, entry: ActivityEntry): boolean => {
  const { data, kind } = entry
  const name = entry.name ?? ""
  switch (leaf._tag) {
    case "Occurred":
      return (
        (kind === "anonymous_event" ? "event" : kind) === leaf.kind &&
        nameSearch(leaf.name)(name) &&
        leaf.where.every((condition) => meets(documentOf(entry, condition), condition, countedAt(entry)))
      )
    case "Submitted":
      return (
        kind === "form_submission" &&
        name === leaf.form &&
        leaf.where.every((condition) => meets(data, condition, countedAt(entry)))
      )
    case "Reported": {
      const report =
        kind === "unsubscribe" && name === "Email Unsubscribed"
          ? { channel: "email", metric: "unsubscribed" }
          : kind === "delivery_metric"
            ? reportNamed(name)
            : undefined
      if (report?.metric !== leaf.metric) return false
      if (leaf.channel !== null && report.channel !== leaf.channel) return false
      const properties = isJsonObject(data) ? data["properties"] : undefined
      return leaf.source.every(
        ({ name: source, value }) => isJsonObject(properties) && String(properties[source] ?? "") === value,
      )
    }
  }
}
