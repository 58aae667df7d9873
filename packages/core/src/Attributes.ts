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

/** What an update does to attributes: those that take a new value or time, the visible changes, what is left out. */
export interface Assigned {
  readonly set: ReadonlyArray<readonly [name: string, stamped: Stamped]>
  readonly changes: ReadonlyArray<FieldChange>
  readonly faults: ReadonlyArray<Fault>
}

/**
 * Applies an update attribute by attribute: an older one never overwrites a newer one (track-api §2.1 `_timestamp`,
 * contract §6). An attribute past the limit of a person is left out; what is there stays and can be updated.
 */
export const assign = (
  current: Attributes,
  assignments: ReadonlyArray<Assignment>,
  at: EpochMillis,
  limits: Limits,
): Assigned => {
  const draft = new Draft(current, limits)
  const mayOverflow = current.size + assignments.length > limits.attributesPerPersonMax
  for (const assignment of mayOverflow ? removalsFirst(assignments) : assignments) {
    const name = targetName(assignment.name)
    const known = draft.get(name)
    if (known === undefined || known.at <= at) {
      draft.set(name, { value: nextValue(assignment, name, known?.value ?? null), at })
    }
  }
  return draft.assigned
}

/**
 * Gives a person what was said about a visitor, each attribute with its own time: those that the person has stay, and what
 * the person removed at that time or later stays removed (contract §13).
 */
export const inherit = (person: Attributes, visitor: Attributes, limits: Limits): Assigned => {
  const draft = new Draft(person, limits)
  for (const [name, stamped] of visitor) {
    const known = person.get(name)
    if (stamped.value === null || (known !== undefined && (known.value !== null || known.at >= stamped.at)))
      continue
    draft.set(name, stamped)
  }
  return draft.assigned
}

/** Collects what an update sets, within the limit of a person. */
class Draft {
  private readonly current: Attributes
  private readonly max: number
  private readonly written = new Map<string, Stamped>()
  private readonly changes: Array<FieldChange> = []
  private readonly faults: Array<Fault> = []
  private room: number

  constructor(current: Attributes, limits: Limits) {
    this.current = current
    this.max = limits.attributesPerPersonMax
    this.room = this.max - countPresent(current)
  }

  get(name: string): Stamped | undefined {
    return this.written.get(name) ?? this.current.get(name)
  }

  set(name: string, stamped: Stamped): void {
    const from = this.get(name)?.value ?? null
    const { value } = stamped
    if (!ownPlace.has(name)) {
      const growth = (value === null ? 0 : 1) - (from === null ? 0 : 1)
      if (growth > this.room) {
        const message = `a person has at most ${this.max} attributes`
        this.faults.push({ reason: "too_many", field: `attributes.${name}`, message })
        return
      }
      this.room -= growth
    }
    this.written.set(name, stamped)
    if (!sameJson(from, value)) this.changes.push({ path: pathOf(name), from, to: value })
  }

  get assigned(): Assigned {
    return { set: [...this.written], changes: this.changes, faults: this.faults }
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
export const put = (
  current: Attributes,
  entries: ReadonlyArray<readonly [name: string, stamped: Stamped]>,
): Attributes => {
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
