import { Schema } from "effect"
import { isJsonObject, sameJson, type Json, type JsonObject } from "./Json.ts"
import { type Limits, removedAttributesPerPersonMax } from "./Limits.ts"
import type { Fault, FieldChange } from "./Outcome.ts"
import type { EpochMillis } from "./Timestamp.ts"

/** A value and the time of the update that set it; null once the attribute was removed. */
export const Stamped = Schema.Struct({ value: Schema.Json, at: Schema.Int })
export type Stamped = typeof Stamped.Type

/** Attributes by name. A map, so that no name from outside can reach a prototype. */
export const Attributes = Schema.ReadonlyMap(Schema.String, Stamped)
export type Attributes = ReadonlyMap<string, Stamped>

/** One attribute of an update, its name in the canonical brand; null and "" remove it (contract §6). */
export const Assignment = Schema.Struct({ name: Schema.String, value: Schema.Json })
export type Assignment = typeof Assignment.Type

/** Attributes with a meaning and a place of their own; they do not count among the attributes of a person. */
export const createdAtName = "created_at"
export const unsubscribedName = "unsubscribed"
export const preferencesName = "svc_subscription_preferences"

const ownPlace = new Set([createdAtName, unsubscribedName, preferencesName])

export const noAttributes: Attributes = new Map()

/**
 * Applies an update attribute by attribute: an older one never overwrites a newer one (track-api §2.1 `_timestamp`,
 * contract §6). An attribute past the limit of a person is left out; what is there stays and can be updated. Gives the
 * attributes that take a new value or time, and adds what can be seen of it, and what was left out, to the effects.
 */
export const assign = (
  current: Attributes,
  assignments: ReadonlyArray<Assignment>,
  at: EpochMillis,
  limits: Limits,
  effects: Visible,
): Attributes => {
  const mayOverflow = current.size + assignments.length > limits.attributesPerPersonMax
  const draft = new Draft(current, mayOverflow ? limits.attributesPerPersonMax : Infinity, effects)
  for (const assignment of mayOverflow ? removalsFirst(assignments) : assignments) {
    const name = targetName(assignment.name)
    const known = draft.get(name)
    if (known === undefined || known.at <= at) {
      draft.set(name, known, { value: nextValue(assignment, name, known?.value ?? null), at })
    }
  }
  return draft.written
}

/**
 * Gives a person what was said about a visitor, each attribute with its own time: those that the person has stay, and what
 * the person removed at that time or later stays removed (contract §13).
 */
export const inherit = (
  person: Attributes,
  visitor: Attributes,
  limits: Limits,
  effects: Visible,
): Attributes => {
  const draft = new Draft(person, limits.attributesPerPersonMax, effects)
  for (const [name, stamped] of visitor) {
    const known = person.get(name)
    const stays = known !== undefined && (known.value !== null || known.at >= stamped.at)
    if (stamped.value !== null && !stays) draft.set(name, known, stamped)
  }
  return draft.written
}

/** Where an update leaves what can be seen of it. */
export interface Visible {
  readonly fields: Array<FieldChange>
  readonly faults: Array<Fault>
}

/** Collects what an update sets, within the limit of a person. */
class Draft {
  readonly written = new Map<string, Stamped>()
  private readonly current: Attributes
  private readonly max: number
  private readonly effects: Visible
  private room: number

  constructor(current: Attributes, max: number, effects: Visible) {
    this.current = current
    this.max = max
    this.effects = effects
    this.room = max === Infinity ? max : max - countPresent(current)
  }

  get(name: string): Stamped | undefined {
    return this.written.get(name) ?? this.current.get(name)
  }

  set(name: string, known: Stamped | undefined, stamped: Stamped): void {
    const from = known?.value ?? null
    const { value } = stamped
    if (!ownPlace.has(name)) {
      const growth = (value === null ? 0 : 1) - (from === null ? 0 : 1)
      if (growth > this.room) {
        const message = `a person has at most ${this.max} attributes`
        this.effects.faults.push({ reason: "too_many", field: `attributes.${name}`, message })
        return
      }
      this.room -= growth
    }
    this.written.set(name, stamped)
    if (!sameJson(from, value)) this.effects.fields.push({ path: pathOf(name), from, to: value })
  }
}

/** The order of an object's keys means nothing: what an update removes makes room for what it sets. */
const removalsFirst = (assignments: ReadonlyArray<Assignment>): ReadonlyArray<Assignment> => {
  const byName = new Map<string, Assignment>()
  for (const assignment of assignments) {
    byName.delete(assignment.name)
    byName.set(assignment.name, assignment)
  }
  const last = [...byName.values()]
  const isRemoval = ({ value }: Assignment) => value === null || value === ""
  return [...last.filter(isRemoval), ...last.filter((assignment) => !isRemoval(assignment))]
}

/** The attributes after an update; the oldest removals are forgotten once there are too many of them. */
export const put = (current: Attributes, entries: Attributes): Attributes => {
  if (current.size === 0 && entries.size <= removedAttributesPerPersonMax) return entries
  const next = new Map(current)
  let removal = false
  for (const [name, stamped] of entries) {
    next.set(name, stamped)
    removal ||= stamped.value === null
  }
  return removal ? forgetOldRemovals(next) : next
}

/** The attributes that a person has, as a JSON object, without those that have a place of their own. */
export const toJson = (attributes: Attributes): JsonObject =>
  Object.fromEntries(
    [...attributes].flatMap(([name, { value }]) =>
      value === null || ownPlace.has(name) ? [] : [[name, value]],
    ),
  )

/** The value of an attribute; null where there is none. */
export const valueOf = (attributes: Attributes, name: string): Json => attributes.get(name)?.value ?? null

const countPresent = (attributes: Attributes): number => {
  let count = 0
  for (const [name, { value }] of attributes) if (value !== null && !ownPlace.has(name)) count++
  return count
}

const forgetOldRemovals = (attributes: Map<string, Stamped>): Attributes => {
  const removed = [...attributes].filter(([, { value }]) => value === null)
  const excess = removed.length - removedAttributesPerPersonMax
  if (excess <= 0) return attributes
  for (const [name] of removed.toSorted(([, a], [, b]) => a.at - b.at).slice(0, excess))
    attributes.delete(name)
  return attributes
}

const pathOf = (name: string) => (ownPlace.has(name) ? name : `attributes.${name}`)

/** Dotted keys merge under the subscription preferences only; anywhere else a dot is a dot (contract §6). */
const targetName = (name: string) => (name.startsWith(`${preferencesName}.`) ? preferencesName : name)

const nextValue = ({ name, value }: Assignment, target: string, from: Json): Json => {
  const given = value === "" ? null : value
  if (name === target) return given
  return putPath(from, name.slice(preferencesName.length + 1).split("."), given)
}

const putPath = (from: Json, path: ReadonlyArray<string>, value: Json): Json => {
  const [key, ...rest] = path
  if (key === undefined) return value
  const fields = Object.entries(isJsonObject(from) ? from : {}).filter(([name]) => name !== key)
  const inner = isJsonObject(from) && Object.hasOwn(from, key) ? (from[key] ?? null) : null
  const next = putPath(inner, rest, value)
  return Object.fromEntries(next === null ? fields : [...fields, [key, next]])
}
