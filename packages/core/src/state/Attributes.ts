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

/** A value and the time of the update that set it; the value is null once the attribute was removed. */
export const Stamped = Schema.Struct({ value: Schema.Json, at: Schema.Int })
export type Stamped = typeof Stamped.Type

/** Attributes by name. A map, because names are untrusted and must not reach a prototype. */
export const Attributes = Schema.ReadonlyMap(Schema.String, Stamped)
export type Attributes = ReadonlyMap<string, Stamped>

/** One attribute of an update, with its name in the canonical brand. The values null and "" remove it (contract §6). */
export const Assignment = Schema.Struct({ name: Schema.String, value: Schema.Json })
export type Assignment = typeof Assignment.Type

/** The reserved attributes have a meaning of their own and do not count towards the limit of a person's attributes. */
export const createdAtName = "created_at"
export const unsubscribedName = "unsubscribed"

/** Returns whether an attribute of a person is reserved: `created_at`, `unsubscribed`, or subscription preferences. */
export const isReserved = (name: string): boolean =>
  name === createdAtName ||
  name === unsubscribedName ||
  name === preferencesName ||
  name.startsWith(preferencePath)

/** Returns true for `true`, 1, "1" and "true" in any case, and false for anything else (contract §6). */
export const isTrue = (value: Json | undefined): boolean => {
  if (typeof value === "string") return value === "1" || value.toLowerCase() === "true"
  return value === true || value === 1
}

/** The limits of a set of attributes, and the words that messages and changes use for it. */
export interface AttributeBounds {
  readonly countMax: number
  /** Bytes of all names and values together. */
  readonly bytesMax: number
  /** The owner of the attributes with its article, such as "a person". */
  readonly owner: string
  /** The prefix of attribute names in the paths of changes. */
  readonly pathPrefix: string
  /** Whether the reserved names apply. */
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
 * Applies an update to each attribute. An older update never overwrites a newer one, and of two with the same time the
 * later arrival wins (track-api §2.1 `_timestamp`, contract §6, §16). New attributes beyond the limits are left out;
 * existing ones can still be updated. Returns the attributes with a new value or time, and adds the visible changes and
 * the faults to `visible`.
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

/** Returns a fault for each topic of a preferences object that a newer dotted preference overrides. */
const staleTopics = (current: Attributes, whole: Json, at: EpochMillis): ReadonlyArray<Fault> =>
  [...current].flatMap(([name, stamped]) => {
    if (!name.startsWith(preferencePath) || !isBefore(at, stamped.at)) return []
    const given = getPath(whole, pathOf(name))
    return given === null || sameJson(given, stamped.value) ? [] : [decisionFaults.stale(name)]
  })

/** Subscription preferences must be an object (track-api §2.1). The values null and "" remove them. */
const canBePreferences = (value: Json): boolean => value === null || value === "" || isJsonObject(value)

const notPreferences = decisionFaults.preferencesNotObject(preferencesName)

/**
 * Returns the attributes that a person takes over from a visitor, each with its own time. An attribute is left out if the
 * person has a value for it, or removed it at or after the visitor's time (contract §13).
 */
export const inheritAttributes = (
  own: Attributes,
  visitor: Attributes,
  bounds: AttributeBounds,
  visible: UpdateResult,
): Attributes =>
  addMissing(own, visitor, bounds, visible, true, (known, stamped) => !isBefore(known.at, stamped.at))

/**
 * Returns the attributes that the primary of a merge receives: those it lacks and the secondary has, whatever their
 * times (contract §6). The limits do not apply (contract §16 *merged limits*).
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

/** Fills subscription preferences topic by topic. Topics that the person has set or removed stay as they are. */
const fillPreferences = (own: Attributes, other: Attributes, draft: AttributesDraft): void => {
  const before = preferencesOf(own)
  const after = filledPreferences(own, other)
  if (sameJson(before, after) || !draft.mayInheritPreferences(before)) return
  const times = [...own, ...other].flatMap(([name, { at }]) => (isPreference(name) ? [at] : []))
  draft.write(preferencesName, before, { value: after, at: Math.max(...times) })
}

/** Returns the subscription preferences of a person, completed with those of another. */
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

/** Returns a JSON value completed with the keys that only the other one has, at every depth. */
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

/** Collects the visible changes and the faults of an update. */
export interface UpdateResult {
  readonly fields: Array<FieldChange>
  readonly faults: Array<Fault>
}

/** Collects the attributes that an update sets. Enforces the limits of the person, object, relationship or device. */
class AttributesDraft {
  readonly written = new Map<string, Stamped>()
  private readonly current: Attributes
  private readonly bounds: AttributeBounds
  private readonly visible: UpdateResult
  /** Attributes and bytes that can still be added. */
  private room = Infinity
  private bytesLeft = Infinity
  /** The current subscription preferences; undefined until one of them is set. */
  private document: PreferencesDocument | undefined
  /** The number of dotted preferences; undefined until one of them is set. */
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

  /** Returns the path of an attribute in a list of changes. */
  pathOf(name: string): string {
    return this.bounds.hasReserved && isReserved(name) ? name : this.bounds.pathPrefix + name
  }

  /** Returns the value of a dotted preference: its own, or its part of the whole object if that was set later. */
  private preference(name: string, own: Stamped | undefined): Stamped | undefined {
    const whole = this.written.get(preferencesName) ?? this.current.get(preferencesName)
    if (whole === undefined) return own
    if (own !== undefined && (isBefore(whole.at, own.at) || this.isSetSince(name, own, whole))) return own
    return { value: getPath(whole.value, pathOf(name)), at: whole.at }
  }

  /**
   * Returns whether a dotted preference overrides the whole preferences object: it arrived later, and its time is not
   * earlier. The maps of attributes are in order of arrival.
   */
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

  /** Sets an attribute without checking the limits. */
  write(name: string, from: Json, stamped: Stamped): void {
    const { value } = stamped
    this.written.set(name, stamped)
    if (!sameJson(from, value)) this.visible.fields.push({ path: this.pathOf(name), from, to: value })
  }

  /** Returns whether preferences of a visitor may be added. A person above the limits receives none. */
  mayInheritPreferences(own: JsonObject): boolean {
    const fault = this.isBounded ? excessOf(new PreferencesDocument(own), this.bounds.preferences) : undefined
    if (fault === undefined) return true
    this.visible.faults.push(fault(preferencesName))
    return false
  }

  /** Returns whether a dotted preference fits, and adds a fault if it does not. */
  private fitsPath(name: string, value: Json): boolean {
    const { preferences } = this.bounds
    const document = (this.document ??= documentOf(applyAssigned(this.current, this.written)))
    const fault = this.hasRoomForPath(name, value)
      ? putWithin(document, pathOf(name), value, preferences)
      : (field: string) => decisionFaults.tooManyTopics(field, { max: preferences.topicsPerPersonMax })
    if (fault !== undefined) this.visible.faults.push(fault(name))
    return fault === undefined
  }

  /** Each dotted preference is stored separately, so their number is limited like that of topics. */
  private hasRoomForPath(name: string, value: Json): boolean {
    if (value === null || valueOf(this.written, name) !== null || valueOf(this.current, name) !== null) {
      return true
    }
    this.paths ??= countPaths(applyAssigned(this.current, this.written))
    if (this.paths >= this.bounds.preferences.topicsPerPersonMax) return false
    this.paths++
    return true
  }

  /**
   * Returns the preferences object without the topics that do not fit, and adds a fault for each. Newer dotted
   * preferences count, since they stay.
   */
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

/**
 * Returns the bytes of a name and its value: the text of a string, the JSON of anything else. Returns 0 if the value is
 * null.
 */
export const attributeBytes = (name: string, value: Json): number => {
  if (value === null) return 0
  return utf8Bytes(name) + utf8Bytes(typeof value === "string" ? value : JSON.stringify(value))
}

/** Returns the bytes of attributes as the limits count them. */
export const attributesBytes = (attributes: Attributes): number => {
  let bytes = 0
  for (const [name, { value }] of attributes) bytes += attributeBytes(name, value)
  return bytes
}

/**
 * Puts removals first, so that they make room for the attributes that the same update sets. The order of keys in an
 * object has no meaning.
 */
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
 * Returns the attributes after an update. Only the newest `removedAttributesPerPersonMax` removals are stored.
 *
 * Subscription preferences are moved to the end, the whole object before the dotted ones of the same update, because
 * arrival order decides between equal times. Dotted preferences that are not newer than the whole object are dropped,
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

/** Returns the attributes of a person as a JSON object, without the reserved ones. */
export const personAttributesToJson = (attributes: Attributes): JsonObject =>
  Object.fromEntries(
    [...attributes].flatMap(([name, { value }]) =>
      value === null || isReserved(name) ? [] : [[name, value]],
    ),
  )

/** Returns the attributes of an object, a relationship or a device as a JSON object. */
export const attributesToJson = (attributes: Attributes): JsonObject =>
  Object.fromEntries([...attributes].flatMap(([name, { value }]) => (value === null ? [] : [[name, value]])))

/** Returns the subscription preferences of a person: the whole object with the dotted preferences set since. */
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
 * Inserts a path after those that arrived earlier and are not newer. Sorting is not possible, because comparing times
 * at the coarser precision is not transitive.
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

/** Returns the value of an attribute; null if it is not set. */
export const valueOf = (attributes: Attributes, name: string): Json => attributes.get(name)?.value ?? null

/** Returns the number of attributes that are set, without the reserved ones of a person. */
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

/** Returns the assignments of an update as a JSON object. */
export const assignmentsToJson = (assignments: ReadonlyArray<Assignment>): JsonObject =>
  Object.fromEntries(assignments.map(({ name, value }) => [name, value]))
