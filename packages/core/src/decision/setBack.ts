import type { AttributesBefore, DeviceBefore, PersonBefore } from "../log/Overwritten.ts"
import { isPreference } from "../state/preferenceBounds.ts"
import { noAttributes, type Attributes, type Stamped } from "../state/Attributes.ts"
import type { Device, Devices } from "../state/Device.ts"
import { patchPerson, type Person } from "../state/Person.ts"
import type { Relationships } from "../state/Relationships.ts"

/** Returns a person as they were before an operation, from the person after it and what it overwrote. */
export const setBack = (person: Person, before: PersonBefore): Person => {
  const { anonymousIds, attached, segments } = before
  return patchPerson(person, {
    ...(before.updatedAt !== undefined && { updatedAt: before.updatedAt }),
    ...(before.id !== undefined && { id: before.id }),
    ...(before.email !== undefined && { email: before.email }),
    ...(before.idAt !== undefined && { idAt: before.idAt }),
    ...(before.emailAt !== undefined && { emailAt: before.emailAt }),
    ...(anonymousIds !== undefined && {
      anonymousIds: withList(person.anonymousIds, anonymousIds, (id) => id),
    }),
    ...(before.attributes !== undefined && {
      attributes: attributesWith(person.attributes, before.attributes),
    }),
    ...(before.devices !== undefined && { devices: devicesWith(person.devices, before.devices) }),
    ...(before.relationships !== undefined && {
      relationships: relationshipsWith(person.relationships, before.relationships),
    }),
    ...(segments !== undefined && { segments: withList(person.segments, segments, (key) => key) }),
    ...(attached !== undefined && { attached: withList(person.attached, attached, ({ key }) => key) }),
  })
}

export const attributesWith = (attributes: Attributes, before: AttributesBefore): Attributes => {
  const next = new Map(attributes)
  const preferences = new Map<string, Stamped>()
  let hasPreference = false
  for (const [name, old] of before) {
    hasPreference ||= isPreference(name)
    const value = old?.value === undefined ? next.get(name)?.value : old.value
    if (old === null || value === undefined) next.delete(name)
    else (isPreference(name) ? preferences : next).set(name, { at: old.at, value })
  }
  if (!hasPreference) return next
  for (const name of next.keys()) if (isPreference(name)) next.delete(name)
  return new Map([...next, ...preferences])
}

const devicesWith = (devices: Devices, before: NonNullable<PersonBefore["devices"]>): Devices => {
  const next = new Map(devices)
  for (const [token, old] of before) {
    if (old === null) next.delete(token)
    else next.set(token, deviceWith(next.get(token), old))
  }
  return next
}

const deviceWith = (device: Device | undefined, old: DeviceBefore): Device => ({
  platform: old.platform ?? device?.platform ?? "",
  lastUsed: old.lastUsed === undefined ? (device?.lastUsed ?? null) : old.lastUsed,
  attributes: attributesWith(device?.attributes ?? noAttributes, old.attributes),
})

const relationshipsWith = (
  relationships: Relationships,
  before: NonNullable<PersonBefore["relationships"]>,
): Relationships => {
  const next = new Map(relationships)
  for (const [object, old] of before) {
    if (old === null) next.delete(object)
    else next.set(object, attributesWith(next.get(object) ?? noAttributes, old))
  }
  return next
}

const withList = <Item, Key>(
  items: ReadonlyArray<Item>,
  { added, removed }: { readonly added: ReadonlyArray<Key>; readonly removed: ReadonlyArray<Item> },
  keyOf: (item: Item) => Key,
): ReadonlyArray<Item> => [...items.filter((item) => !added.includes(keyOf(item))), ...removed]
