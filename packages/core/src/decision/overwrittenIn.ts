import type { AttributesBefore, DeviceBefore, ObjectBefore, PersonBefore } from "../log/Overwritten.ts"
import { isPreference } from "../state/preferenceBounds.ts"
import { noAttributes, type Attributes, type Stamped } from "../state/Attributes.ts"
import type { DataObject } from "../state/DataObject.ts"
import type { Device } from "../state/Device.ts"
import { emptyPerson, type Person } from "../state/Person.ts"
import type { SubjectKey } from "../values/Identifier.ts"
import { sameJson } from "../values/Json.ts"

/** The names of a map or a set. */
export interface Keys {
  keys(): Iterable<string>
}

/** What the changes of a command touched in the document of a person. A field is missing if they touched none. */
export interface Touches {
  readonly attributes?: Keys
  readonly devices?: Iterable<string>
  /** The attributes of each touched relationship before the command; undefined if it was not there. */
  readonly relationships?: ReadonlyMap<SubjectKey, Attributes | undefined>
  readonly segments?: Iterable<SubjectKey>
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Returns what a command overwrote in the document of a person. */
export const overwrittenIn = (before: Person, after: Person, touches: Touches): PersonBefore => {
  const found: Writable<PersonBefore> = {}
  if (before.updatedAt !== after.updatedAt) found.updatedAt = before.updatedAt
  if (before.id !== after.id) found.id = before.id
  if (before.email !== after.email) found.email = before.email
  if (before.idAt !== after.idAt) found.idAt = before.idAt
  if (before.emailAt !== after.emailAt) found.emailAt = before.emailAt
  if (before.anonymousIds !== after.anonymousIds) {
    const anonymousIds = listBefore(before.anonymousIds, after.anonymousIds, (id) => id)
    if (anonymousIds !== undefined) found.anonymousIds = anonymousIds
  }
  const { attributes, devices, relationships, segments } = touches
  if (attributes !== undefined && before.attributes !== after.attributes) {
    const old = attributesBefore(before.attributes, after.attributes, attributes.keys())
    if (old.size > 0) found.attributes = old
  }
  if (devices !== undefined) {
    const old = devicesBefore(before, after, devices)
    if (old.size > 0) found.devices = old
  }
  if (relationships !== undefined) {
    const old = relationshipsBefore(after, relationships)
    if (old.size > 0) found.relationships = old
  }
  if (segments !== undefined) {
    const old = segmentsBefore(before, after, segments)
    if (old !== undefined) found.segments = old
  }
  if (before.attached !== after.attached) {
    const attached = listBefore(before.attached, after.attached, ({ key }) => key)
    if (attached !== undefined) found.attached = attached
  }
  return found
}

/** Returns everything that a person has, with the segments that they were added to by hand. */
export const allOf = (person: Person, segments: Person["segments"]): PersonBefore =>
  overwrittenIn(person, emptyPerson(person.key, person.workspace, person.createdAt), {
    attributes: person.attributes,
    devices: person.devices.keys(),
    relationships: person.relationships,
    segments,
  })

/**
 * Returns what a command overwrote of an object. `names` are the attributes that it assigned. If it deleted the object, `after` is
 * null.
 */
export const overwrittenInObject = (
  before: DataObject,
  after: DataObject | null,
  names: Iterable<string>,
): ObjectBefore => {
  const { attributes, createdAt, updatedAt } = before
  if (after === null) {
    return { createdAt, updatedAt, attributes: allAttributes(attributes) }
  }
  return {
    ...(updatedAt !== after.updatedAt && { updatedAt }),
    attributes: attributesBefore(attributes, after.attributes, names),
  }
}

export const allAttributes = (attributes: Attributes): AttributesBefore =>
  attributesBefore(attributes, noAttributes, attributes.keys())

type FoundAttributes = Map<string, { readonly at: number; readonly value?: Stamped["value"] } | null>

const attributesBefore = (
  before: Attributes,
  after: Attributes,
  touched: Iterable<string>,
): AttributesBefore => {
  const found: FoundAttributes = new Map()
  if (before === after) return found
  let hasRemoval = false
  let hasPreference = false
  for (const name of touched) {
    const now = after.get(name)
    hasRemoval ||= now?.value === null
    hasPreference ||= isPreference(name)
    noteAttribute(found, name, before.get(name), now)
  }
  // A removal can drop the oldest one.
  if (hasRemoval) for (const [name, old] of before) noteAttribute(found, name, old, after.get(name))
  return hasPreference ? withPreferences(found, before, after) : found
}

/** The order of preferences decides which of them is newer, so all of them are found as soon as one changes. */
const withPreferences = (found: FoundAttributes, before: Attributes, after: Attributes): FoundAttributes => {
  const all: FoundAttributes = new Map(
    [...found].filter(([name, old]) => old === null || !isPreference(name)),
  )
  for (const [name, { at, value }] of before) {
    if (!isPreference(name)) continue
    const now = after.get(name)
    all.set(name, now !== undefined && sameJson(now.value, value) ? { at } : { at, value })
  }
  return all
}

const noteAttribute = (
  found: FoundAttributes,
  name: string,
  old: Stamped | undefined,
  now: Stamped | undefined,
): void => {
  if (old === now) return
  if (old === undefined) found.set(name, null)
  else if (now !== undefined && sameJson(old.value, now.value)) {
    if (old.at !== now.at) found.set(name, { at: old.at })
  } else found.set(name, old)
}

const devicesBefore = (
  before: Person,
  after: Person,
  touched: Iterable<string>,
): ReadonlyMap<string, DeviceBefore | null> => {
  const found = new Map<string, DeviceBefore | null>()
  for (const token of touched) {
    const old = before.devices.get(token)
    const now = after.devices.get(token)
    if (old === now) continue
    if (old === undefined) found.set(token, null)
    else found.set(token, deviceBefore(old, now))
  }
  return found
}

const deviceBefore = (old: Device, now: Device | undefined): DeviceBefore => ({
  ...(old.platform !== now?.platform && { platform: old.platform }),
  ...((now === undefined || old.lastUsed !== now.lastUsed) && { lastUsed: old.lastUsed }),
  attributes: changedAttributes(old.attributes, now?.attributes ?? noAttributes),
})

const relationshipsBefore = (
  after: Person,
  touched: ReadonlyMap<SubjectKey, Attributes | undefined>,
): ReadonlyMap<SubjectKey, AttributesBefore | null> => {
  const found = new Map<SubjectKey, AttributesBefore | null>()
  for (const [object, old] of touched) {
    const now = after.relationships.get(object)
    if (old === now) continue
    if (old === undefined) found.set(object, null)
    else found.set(object, changedAttributes(old, now ?? noAttributes))
  }
  return found
}

const changedAttributes = (old: Attributes, now: Attributes): AttributesBefore =>
  attributesBefore(old, now, new Set([...old.keys(), ...now.keys()]))

const segmentsBefore = (
  before: Person,
  after: Person,
  touched: Iterable<SubjectKey>,
): PersonBefore["segments"] => {
  const added: Array<SubjectKey> = []
  const removed: Array<SubjectKey> = []
  for (const segment of touched) {
    const isIn = after.segments.includes(segment)
    if (isIn === before.segments.includes(segment)) continue
    if (isIn) added.push(segment)
    else removed.push(segment)
  }
  return added.length + removed.length === 0 ? undefined : { added, removed }
}

const listBefore = <Item, Key>(
  before: ReadonlyArray<Item>,
  after: ReadonlyArray<Item>,
  keyOf: (item: Item) => Key,
): { readonly added: ReadonlyArray<Key>; readonly removed: ReadonlyArray<Item> } | undefined => {
  const old = new Set(before.map(keyOf))
  const now = new Set(after.map(keyOf))
  const added = [...now].filter((key) => !old.has(key))
  const removed = before.filter((item) => !now.has(keyOf(item)))
  return added.length + removed.length === 0 ? undefined : { added, removed }
}
