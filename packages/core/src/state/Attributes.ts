import { Schema } from "effect"
import { isJsonObject, sameJson, utf8Bytes, type Json, type JsonObject } from "../values/Json.ts"
import { type Limits, removedAttributesPerPersonMax } from "../workspace/Limits.ts"
import type { Fault, FieldChange } from "../log/Outcome.ts"
import {
  excessOf,
  isPreference,
  keepPreferences,
  noPreferences,
  pathOf,
  preferencePath,
  preferencesName,
  putWithin,
  type PreferenceBounds,
} from "./preferenceBounds.ts"
import { PreferencesDocument } from "./PreferencesDocument.ts"
import { isBefore, type EpochMillis } from "../values/Timestamp.ts"
import { decisionFaults } from "../log/faults.ts"

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

/** Whether an attribute of a person has a place of its own, and is not counted among the others. */
export const isReserved = (name: string): boolean =>
  name === createdAtName ||
  name === unsubscribedName ||
  name === preferencesName ||
  name.startsWith(preferencePath)

/** True, 1, "1" and any casing of "true" are true; anything else is false (contract §6). */
export const isTrue = (value: Json | undefined): boolean => {
  if (typeof value === "string") return value === "1" || value.toLowerCase() === "true"
  return value === true || value === 1
}

/** What the attributes of something can be, and how the log calls them. */
export interface AttributeBounds {
  readonly countMax: number
  /** Bytes of all names and values together. */
  readonly bytesMax: number
  /** What has the attributes, with its article. */
  readonly owner: string
  /** What stands before their names in a list of changes. */
  readonly pathPrefix: string
  /** Whether some names have a meaning and a place of their own. */
  readonly hasReserved: boolean
  readonly preferences: PreferenceBounds
}

export const personBounds = (limits: Limits): AttributeBounds => ({
  countMax: limits.attributesPerPersonMax,
  bytesMax: Infinity,
  owner: "a person",
  pathPrefix: "attributes.",
  hasReserved: true,
  preferences: limits,
})

export const objectBounds = (limits: Limits): AttributeBounds => ({
  countMax: limits.attributesPerObjectMax,
  bytesMax: limits.objectAttributesBytesMax,
  owner: "an object",
  pathPrefix: "attributes.",
  hasReserved: false,
  preferences: noPreferences,
})

export const relationshipBounds = (limits: Limits, path: string): AttributeBounds => ({
  ...objectBounds(limits),
  owner: "a relationship",
  pathPrefix: path,
})

export const deviceBounds = ({ attributesPerPersonMax }: Limits, path: string): AttributeBounds => ({
  countMax: attributesPerPersonMax,
  bytesMax: Infinity,
  owner: "a device",
  pathPrefix: path,
  hasReserved: false,
  preferences: noPreferences,
})

export const noAttributes: Attributes = new Map()

/**
 * Applies an update attribute by attribute: an older one never overwrites a newer one, and of two of the same time the later
 * arrival wins (track-api §2.1 `_timestamp`, contract §6, §16). An attribute past the limit of a person is left out; what is
 * there stays and can be updated. Returns the attributes that take a new value or time, and adds to `visible` what changed
 * and what was left out.
 */
export const assignAttributes = (
  current: Attributes,
  assignments: ReadonlyArray<Assignment>,
  at: EpochMillis,
  bounds: AttributeBounds,
  visible: UpdateResult,
): Attributes => {
  const mayOverflow = bounds.bytesMax < Infinity || current.size + assignments.length > bounds.countMax
  const draft = new AttributesDraft(current, bounds, mayOverflow, visible)
  for (const { name, value } of mayOverflow ? removalsFirst(assignments) : assignments) {
    if (bounds.hasReserved && name === preferencesName && !canBePreferences(value)) {
      visible.faults.push(notPreferences)
      continue
    }
    const known = draft.get(name)
    if (known !== undefined && isBefore(at, known.at)) {
      visible.faults.push(decisionFaults.stale(draft.pathOf(name)))
      continue
    }
    draft.set(name, known, { value: value === "" ? null : value, at })
    if (bounds.hasReserved && name === preferencesName)
      visible.faults.push(...staleTopics(current, value, at))
  }
  return draft.written
}

/** The parts of a whole that are left out, since dotted preferences with another value are newer. */
const staleTopics = (current: Attributes, whole: Json, at: EpochMillis): ReadonlyArray<Fault> =>
  [...current].flatMap(([name, stamped]) => {
    if (!name.startsWith(preferencePath) || !isBefore(at, stamped.at)) return []
    const given = getPath(whole, pathOf(name))
    return given === null || sameJson(given, stamped.value) ? [] : [decisionFaults.stale(name)]
  })

/** Subscription preferences are an object (track-api §2.1); null and "" remove them. */
const canBePreferences = (value: Json): boolean => value === null || value === "" || isJsonObject(value)

const notPreferences = decisionFaults.preferencesNotObject(preferencesName)

/**
 * Gives somebody what was said about a visitor that it turned out to be, each attribute with its own time: those that it
 * has stay, and what it removed at that time or later stays removed (contract §13).
 */
export const inheritAttributes = (
  own: Attributes,
  visitor: Attributes,
  bounds: AttributeBounds,
  visible: UpdateResult,
): Attributes =>
  addMissing(own, visitor, bounds, visible, true, (known, stamped) => !isBefore(known.at, stamped.at))

/**
 * Gives the primary of a merge what it lacks and the secondary has, whatever their times (contract §6). Nothing is left out,
 * also past the limits (contract §16 *merged limits*).
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
 * Fills the subscription preferences of somebody from another's, topic by topic: what was said of a topic stays, also that
 * nothing is said of it any more.
 */
const fillPreferences = (own: Attributes, other: Attributes, draft: AttributesDraft): void => {
  const before = preferencesOf(own)
  const after = filledPreferences(own, other)
  if (sameJson(before, after) || !draft.mayInheritPreferences(before)) return
  const times = [...own, ...other].flatMap(([name, { at }]) => (isPreference(name) ? [at] : []))
  draft.write(preferencesName, before, { value: after, at: Math.max(...times) })
}

/** The subscription preferences of a person with those of another filled in. */
export const filledPreferences = (own: Attributes, other: Attributes): JsonObject => {
  const before = preferencesOf(own)
  const filled = mergeMissing(before, preferencesOf(other))
  const removed = [...own].filter(([name, { value }]) => name.startsWith(preferencePath) && value === null)
  if (removed.length === 0) return isJsonObject(filled) ? filled : before
  const document = new PreferencesDocument(filled)
  for (const [name] of removed) document.put(pathOf(name), null)
  return document.toJson()
}

const valueAt = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** A value with what another has beside it, object by object. */
const mergeMissing = (own: Json, other: Json): Json => {
  if (!isJsonObject(own) || !isJsonObject(other)) return own
  const names = [...new Set([...Object.keys(own), ...Object.keys(other)])]
  return Object.fromEntries(
    names.map((name) => {
      const mine = valueAt(own, name)
      const theirs = valueAt(other, name) ?? null
      return [name, mine === undefined ? theirs : mergeMissing(mine, theirs)]
    }),
  )
}

/** Where an update leaves what can be seen of it. */
export interface UpdateResult {
  readonly fields: Array<FieldChange>
  readonly faults: Array<Fault>
}

/** Collects what an update sets, within the bounds of whatever has the attributes. */
class AttributesDraft {
  readonly written = new Map<string, Stamped>()
  private readonly current: Attributes
  private readonly bounds: AttributeBounds
  private readonly visible: UpdateResult
  /** Attributes and bytes that there is still room for. */
  private room = Infinity
  private bytesLeft = Infinity
  /** The subscription preferences as they are now, once something about them was set. */
  private document: PreferencesDocument | undefined
  /** Dotted preferences that are stored, once one of them was set. */
  private paths: number | undefined
  private readonly isBounded: boolean

  constructor(
    current: Attributes,
    bounds: AttributeBounds,
    mayOverflow: boolean,
    visible: UpdateResult,
    isBounded = true,
  ) {
    this.current = current
    this.bounds = bounds
    this.visible = visible
    this.isBounded = isBounded
    if (!mayOverflow) return
    this.room = bounds.countMax - countPresent(current, bounds)
    if (bounds.bytesMax < Infinity) this.bytesLeft = bounds.bytesMax - attributesBytes(current)
  }

  get(name: string): Stamped | undefined {
    const own = this.written.get(name) ?? this.current.get(name)
    return this.bounds.hasReserved && name.startsWith(preferencePath) ? this.preference(name, own) : own
  }

  /** The path of an attribute in a list of changes. */
  pathOf(name: string): string {
    return this.bounds.hasReserved && isReserved(name) ? name : this.bounds.pathPrefix + name
  }

  /** What a dotted preference is: its own value, or its part of what was set as a whole since. */
  private preference(name: string, own: Stamped | undefined): Stamped | undefined {
    const whole = this.written.get(preferencesName) ?? this.current.get(preferencesName)
    if (whole === undefined) return own
    if (own !== undefined && (isBefore(whole.at, own.at) || this.isSetSince(name, own, whole))) return own
    return { value: getPath(whole.value, pathOf(name)), at: whole.at }
  }

  /** Whether a dotted preference arrived after the whole and is not older; attributes are in the order of arrival. */
  private isSetSince(name: string, own: Stamped, whole: Stamped): boolean {
    if (isBefore(own.at, whole.at)) return false
    if (this.written.has(name)) return true
    if (this.written.has(preferencesName)) return false
    for (const known of this.current.keys()) {
      if (known === preferencesName) return true
      if (known === name) return false
    }
    return false
  }

  set(name: string, known: Stamped | undefined, stamped: Stamped): void {
    const from = known?.value ?? null
    const { value } = stamped
    const isApart = this.bounds.hasReserved && isReserved(name)
    if (!isApart && this.room < Infinity && !this.fits(name, from, value)) return
    if (isApart && name === preferencesName) return this.write(name, from, this.withinWhole(stamped))
    if (isApart && name.startsWith(preferencePath) && !this.fitsPath(name, value)) return
    this.write(name, from, stamped)
  }

  /** Sets an attribute that is known to fit. */
  write(name: string, from: Json, stamped: Stamped): void {
    const { value } = stamped
    this.written.set(name, stamped)
    if (!sameJson(from, value)) this.visible.fields.push({ path: this.pathOf(name), from, to: value })
  }

  /** Whether preferences may be filled from a visitor: a person above the limits takes no more. */
  mayInheritPreferences(own: JsonObject): boolean {
    const fault = this.isBounded ? excessOf(new PreferencesDocument(own), this.bounds.preferences) : undefined
    if (fault === undefined) return true
    this.visible.faults.push(fault(preferencesName))
    return false
  }

  /** Whether a dotted preference fits among the others; a fault names the one that does not. */
  private fitsPath(name: string, value: Json): boolean {
    const { preferences } = this.bounds
    const document = (this.document ??= documentOf(applyAssigned(this.current, this.written)))
    const fault = this.hasRoomForPath(name, value)
      ? putWithin(document, pathOf(name), value, preferences)
      : (field: string) => decisionFaults.tooManyTopics(field, { max: preferences.topicsPerPersonMax })
    if (fault !== undefined) this.visible.faults.push(fault(name))
    return fault === undefined
  }

  /** Dotted preferences are stored one by one, so their number has the limit of the topics. */
  private hasRoomForPath(name: string, value: Json): boolean {
    if (value === null || valueOf(this.written, name) !== null || valueOf(this.current, name) !== null) {
      return true
    }
    this.paths ??= countPaths(applyAssigned(this.current, this.written))
    if (this.paths >= this.bounds.preferences.topicsPerPersonMax) return false
    this.paths++
    return true
  }

  /** Preferences as a whole without the topics that do not fit; a fault names each. Newer dotted ones stay beside it. */
  private withinWhole({ at, value }: Stamped): Stamped {
    const document = new PreferencesDocument(null)
    for (const [name, newer] of [...this.current, ...this.written]) {
      if (name.startsWith(preferencePath) && isBefore(at, newer.at)) document.put(pathOf(name), newer.value)
    }
    this.document = undefined
    this.paths = undefined
    if (!isJsonObject(value)) return { at, value }
    const { faults, kept } = keepPreferences(value, this.bounds.preferences, document)
    this.visible.faults.push(...faults)
    return { at, value: kept }
  }

  private fits(name: string, from: Json, to: Json): boolean {
    const { bytesMax, countMax, owner: of, pathPrefix: path } = this.bounds
    const growth = (to === null ? 0 : 1) - (from === null ? 0 : 1)
    const bytes = this.bytesLeft === Infinity ? 0 : attributeBytes(name, to) - attributeBytes(name, from)
    const refuse = (fault: Fault) => {
      this.visible.faults.push(fault)
      return false
    }
    if (growth > 0 && growth > this.room)
      return refuse(decisionFaults.tooManyAttributes(path + name, { owner: of, max: countMax }))
    if (bytes > 0 && bytes > this.bytesLeft) {
      return refuse(decisionFaults.attributesTooLarge(path + name, { owner: of, bytes: bytesMax }))
    }
    this.room -= growth
    this.bytesLeft -= bytes
    return true
  }
}

/** The bytes of a name and its value: of a text itself, of anything else as JSON; none where there is no value. */
export const attributeBytes = (name: string, value: Json): number => {
  if (value === null) return 0
  return utf8Bytes(name) + utf8Bytes(typeof value === "string" ? value : JSON.stringify(value))
}

/** The bytes of attributes, as limits count them. */
export const attributesBytes = (attributes: Attributes): number => {
  let bytes = 0
  for (const [name, { value }] of attributes) bytes += attributeBytes(name, value)
  return bytes
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

/**
 * The attributes after an update; the oldest removals are forgotten once there are too many of them. Subscription preferences
 * move to the end, in the order of their arrival, and within one update the whole comes before its parts: which of two with
 * the same time counts depends on it. Parts that are not newer than the whole are forgotten: nothing reads them any more.
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

/** The attributes that a person has, as a JSON object, without those that have a place of their own. */
export const personAttributesToJson = (attributes: Attributes): JsonObject =>
  Object.fromEntries(
    [...attributes].flatMap(([name, { value }]) =>
      value === null || isReserved(name) ? [] : [[name, value]],
    ),
  )

/** Every attribute as a JSON object: of what has no places of its own. */
export const attributesToJson = (attributes: Attributes): JsonObject =>
  Object.fromEntries([...attributes].flatMap(([name, { value }]) => (value === null ? [] : [[name, value]])))

/** A person's subscription preferences: what was set as a whole, and every path that was set since. */
export const preferencesOf = (attributes: Attributes): JsonObject => documentOf(attributes).toJson()

const documentOf = (attributes: Attributes): PreferencesDocument => {
  let whole: Stamped | undefined
  let since: Array<readonly [name: string, stamped: Stamped]> = []
  for (const [name, stamped] of attributes) {
    if (name === preferencesName) {
      whole = stamped
      since = since.filter(([, earlier]) => isBefore(stamped.at, earlier.at))
    } else if (name.startsWith(preferencePath) && (whole === undefined || !isBefore(stamped.at, whole.at))) {
      insertByTime(since, name, stamped)
    }
  }
  const document = new PreferencesDocument(whole?.value ?? null)
  for (const [name, { value }] of since) document.put(pathOf(name), value)
  return document
}

/**
 * Inserts a path after those that arrived earlier and are not newer. Sorting would not do: equality at the coarser precision
 * is not transitive.
 */
const insertByTime = (
  paths: Array<readonly [name: string, stamped: Stamped]>,
  name: string,
  stamped: Stamped,
): void => {
  const older = paths.findLastIndex(([, earlier]) => !isBefore(stamped.at, earlier.at))
  paths.splice(older + 1, 0, [name, stamped])
}

const getPath = (from: Json, path: ReadonlyArray<string>): Json =>
  path.reduce<Json>((value, key) => (isJsonObject(value) ? (valueAt(value, key) ?? null) : null), from)

/** The value of an attribute; null where there is none. */
export const valueOf = (attributes: Attributes, name: string): Json => attributes.get(name)?.value ?? null

/** How many attributes are set, without removed ones and without those of a person that have a place of their own. */
export const countPresent = (
  attributes: Attributes,
  { hasReserved }: Pick<AttributeBounds, "hasReserved">,
): number => {
  let count = 0
  for (const [name, { value }] of attributes) {
    if (value !== null && !(hasReserved && isReserved(name))) count++
  }
  return count
}

const countPaths = (attributes: Attributes): number => {
  let count = 0
  for (const [name, { value }] of attributes) if (value !== null && name.startsWith(preferencePath)) count++
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

/** Returns what an update assigns, by attribute name. */
export const assignmentsToJson = (assignments: ReadonlyArray<Assignment>): JsonObject =>
  Object.fromEntries(assignments.map(({ name, value }) => [name, value]))
