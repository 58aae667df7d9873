import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { FieldChange } from "@inlethq/core/log/Outcome"
import type {
  AttributesBefore,
  DeviceBefore,
  ObjectBefore,
  PersonBefore,
} from "@inlethq/core/log/Overwritten"
import { isJsonObject, sameJson, type Json } from "@inlethq/core/values/Json"
import type { SubjectKey } from "@inlethq/core/values/Identifier"

/*
 * What an operation overwrote, as compact JSON. Times are milliseconds before the receipt of the entry. What the other
 * columns of the entry tell is left out, so that most updates cost one number and a short list.
 */

/**
 * Attributes before an operation, in their order. In most updates they are the last keys of the entry's data and were all
 * set at one time, so the time and the index of the first key tell them. Their old values are those in the changes of the
 * entry, or they kept their values.
 *
 * Otherwise, a list that begins with a number has attributes that were set at one time, with the same old values. Names
 * that are keys of the entry's data are given as their index. A list that begins with a name has one attribute: its time
 * and its value, which is missing if the operation kept it, or nothing if the attribute was not there. Attributes that the
 * changes show as added are left out.
 */
type StoredAttributes = readonly [ago: number, first: number] | ReadonlyArray<ReadonlyArray<Json>>

type StoredDevice =
  | readonly [token: string]
  | readonly [token: string, platform: string | 0, lastUsed: number | null | string, StoredAttributes]

/** What an object had, 0 if there was no such object. */
type StoredObject =
  | 0
  | {
      readonly at?: number
      readonly created?: number
      readonly attributes?: StoredAttributes
      readonly crowded?: 1
    }

/** 0 if there was no such person. */
export type StoredBefore =
  | 0
  | {
      readonly at?: number
      readonly id?: string | null
      readonly email?: string | null
      readonly idAt?: number | null
      readonly emailAt?: number | null
      readonly anonymous?: readonly [ReadonlyArray<string>, ReadonlyArray<string>]
      readonly attributes?: StoredAttributes
      readonly devices?: ReadonlyArray<StoredDevice>
      readonly relations?: ReadonlyArray<readonly [SubjectKey, StoredAttributes?]>
      readonly segments?: readonly [ReadonlyArray<SubjectKey>, ReadonlyArray<SubjectKey>]
      readonly from?: ReadonlyArray<readonly [path: string, merged: SubjectKey]>
      readonly attached?: readonly [
        ReadonlyArray<SubjectKey>,
        NonNullable<PersonBefore["attached"]>["removed"],
      ]
      readonly object?: StoredObject
    }

/** The columns of an entry that tell a part of what it overwrote. */
export type Told = Pick<ActivityEntry, "changes" | "data" | "receivedAt">

/** Says that the operation kept the time of the last use of a device. */
const kept = "="

export const storedBefore = (before: PersonBefore | null, told: Told): StoredBefore => {
  if (before === null) return 0
  const { receivedAt } = told
  const apart = { receivedAt, changes: [], data: null }
  const stored: WritableBefore = {}
  if (before.updatedAt !== undefined) stored.at = receivedAt - before.updatedAt
  if (before.id !== undefined) stored.id = before.id
  if (before.email !== undefined) stored.email = before.email
  if (before.idAt !== undefined) stored.idAt = since(receivedAt, before.idAt)
  if (before.emailAt !== undefined) stored.emailAt = since(receivedAt, before.emailAt)
  const { anonymousIds, attached, devices, relationships, segments } = before
  if (anonymousIds !== undefined) stored.anonymous = [anonymousIds.added, anonymousIds.removed]
  const attributes = ownAttributes(before.attributes, before.object === undefined ? told : apart)
  if (attributes !== undefined) stored.attributes = attributes
  if (devices !== undefined)
    stored.devices = Array.from(devices, ([token, device]) => storedDevice(token, device, apart))
  if (relationships !== undefined)
    stored.relations = Array.from(relationships, ([object, old]) =>
      old === null ? [object] : [object, storedAttributes(old, apart)],
    )
  if (segments !== undefined) stored.segments = [segments.added, segments.removed]
  if (attached !== undefined) stored.attached = [attached.added, attached.removed]
  if (before.from !== undefined) stored.from = [...before.from]
  if (before.object !== undefined) stored.object = storedObject(before.object, apart)
  return stored
}

const storedObject = (before: ObjectBefore | null, told: Told): StoredObject => {
  if (before === null) return 0
  const { attributes, createdAt, crowded, updatedAt } = before
  return {
    ...(updatedAt !== undefined && { at: told.receivedAt - updatedAt }),
    ...(createdAt !== undefined && { created: told.receivedAt - createdAt }),
    ...(attributes.size > 0 && { attributes: storedAttributes(attributes, told) }),
    ...(crowded === true && { crowded: 1 }),
  }
}

const objectOf = (stored: StoredObject, told: Told): ObjectBefore | null => {
  if (stored === 0) return null
  const { at, attributes, created, crowded } = stored
  return {
    ...(at !== undefined && { updatedAt: told.receivedAt - at }),
    ...(created !== undefined && { createdAt: told.receivedAt - created }),
    attributes: attributes === undefined ? noneBefore : attributesOf(attributes, told),
    ...(crowded !== undefined && { crowded: true }),
  }
}

type WritableBefore = { -readonly [K in keyof Exclude<StoredBefore, 0>]: Exclude<StoredBefore, 0>[K] }

export const beforeOf = (stored: StoredBefore, told: Told): PersonBefore | null => {
  if (stored === 0) return null
  const { anonymous, at, attached, devices, relations, segments } = stored
  const { receivedAt } = told
  const apart = { ...told, changes: [], data: null }
  const attributes = attributesOf(stored.attributes ?? [], stored.object === undefined ? told : apart)
  return {
    ...(at !== undefined && { updatedAt: receivedAt - at }),
    ...(stored.id !== undefined && { id: stored.id }),
    ...(stored.email !== undefined && { email: stored.email }),
    ...(stored.idAt !== undefined && { idAt: since(receivedAt, stored.idAt) }),
    ...(stored.emailAt !== undefined && { emailAt: since(receivedAt, stored.emailAt) }),
    ...(anonymous !== undefined && { anonymousIds: { added: anonymous[0], removed: anonymous[1] } }),
    ...((stored.attributes !== undefined || attributes.size > 0) && { attributes }),
    ...(devices !== undefined && { devices: new Map(devices.map((device) => deviceOf(device, apart))) }),
    ...(relations !== undefined && {
      relationships: new Map(
        relations.map(([object, items]) => [object, items === undefined ? null : attributesOf(items, apart)]),
      ),
    }),
    ...(segments !== undefined && { segments: { added: segments[0], removed: segments[1] } }),
    ...(attached !== undefined && { attached: { added: attached[0], removed: attached[1] } }),
    ...(stored.from !== undefined && { from: new Map(stored.from) }),
    ...(stored.object !== undefined && { object: objectOf(stored.object, apart) }),
  }
}

/** Turns a time into the milliseconds before the receipt, and back. */
const since = (receivedAt: number, at: number | null): number | null => (at === null ? null : receivedAt - at)

/** Returns the stored attributes, or undefined if the changes of the entry tell all of them. */
const ownAttributes = (before: AttributesBefore | undefined, told: Told): StoredAttributes | undefined => {
  const items = storedAttributes(before ?? noneBefore, told)
  return items.length === 0 && (before === undefined || before.size > 0) ? undefined : items
}

const noneBefore: AttributesBefore = new Map()

const storedAttributes = (before: AttributesBefore, told: Told): StoredAttributes =>
  lastInData(before, told) ?? listedAttributes(before, told)

/** Returns the short form, or undefined if there is none. It takes one walk without maps, because nearly every update has it. */
const lastInData = (
  before: AttributesBefore,
  { changes, data, receivedAt }: Told,
): readonly [ago: number, first: number] | undefined => {
  const keys = isJsonObject(data) ? Object.keys(data) : []
  const first = keys.length - before.size
  if (first < 0) return undefined
  let index = first
  let shown = 0
  let at: number | undefined
  for (const [name, old] of before) {
    if (old === null || old.at !== (at ??= old.at) || keys[index++] !== name) return undefined
    if (old.value === undefined) continue
    const change = changes[shown++]
    if (change === undefined || !isChangeOf(name, change) || !sameJson(change.from, old.value))
      return undefined
  }
  return at === undefined || shown < changes.length ? undefined : [receivedAt - at, first]
}

/** Returns whether a change is that of an attribute. */
export const isChangeOf = (name: string, { path }: FieldChange): boolean =>
  path.length === attributePath.length + name.length && path.startsWith(attributePath) && path.endsWith(name)

const listedAttributes = (
  before: AttributesBefore,
  { changes, data, receivedAt }: Told,
): ReadonlyArray<ReadonlyArray<Json>> => {
  const { added, from } = shownIn(changes)
  const indexOf = keyIndex(isJsonObject(data) ? Object.keys(data) : [])
  const items: Array<Array<Json>> = []
  for (const [name, old] of before) {
    const shown = from.get(name)
    if (old === null) {
      if (!added.has(name)) items.push([name])
    } else if (
      old.value === undefined ? shown === undefined : shown !== undefined && sameJson(shown, old.value)
    ) {
      const ago = receivedAt - old.at
      const last = items.at(-1)
      if (last?.[0] === ago) last.push(indexOf(name) ?? name)
      else items.push([ago, indexOf(name) ?? name])
    } else items.push([name, receivedAt - old.at, ...(old.value === undefined ? [] : [old.value])])
  }
  for (const name of added) if (!before.has(name)) items.push([name, kept])
  return items
}

/** Returns a function that finds the index of a key. It is fast if it is asked for the keys in their order. */
const keyIndex = (keys: ReadonlyArray<string>): ((name: string) => number | undefined) => {
  let next = 0
  let all: ReadonlyMap<string, number> | undefined
  return (name) => {
    if (keys[next] === name) return next++
    all ??= new Map(keys.map((key, index) => [key, index]))
    return all.get(name)
  }
}

/** The old values of attributes that the changes of an entry show, and the attributes that they show as added. */
interface Shown {
  readonly from: ReadonlyMap<string, Json>
  readonly added: ReadonlySet<string>
}

const shownIn = (changes: ReadonlyArray<FieldChange>): Shown => {
  const shown = new Map<string, Json>()
  const added = new Set<string>()
  for (const { from, path } of changes) {
    const isAttribute = path.startsWith(attributePath)
    const name = isAttribute ? path.slice(attributePath.length) : path
    if (!shown.has(name)) shown.set(name, from)
    if (isAttribute && from === null) added.add(name)
  }
  return { from: shown, added }
}

export const attributePath = "attributes."

const attributesOf = (stored: StoredAttributes, { changes, data, receivedAt }: Told): AttributesBefore => {
  const { added, from } = shownIn(changes)
  const keys = isJsonObject(data) ? Object.keys(data) : []
  const items = isShort(stored) ? [[stored[0], ...keys.slice(stored[1])]] : stored
  const left = new Set(added)
  const found = new Map<string, { at: number; value?: Json } | null>()
  for (const [first, ...rest] of items) {
    if (typeof first === "number") {
      for (const item of rest) {
        const name = typeof item === "number" ? keys[item] : item
        if (typeof name !== "string") throw new TypeError(unreadable)
        const value = from.get(name)
        left.delete(name)
        found.set(name, { at: receivedAt - first, ...(value !== undefined && { value }) })
      }
    } else if (typeof first === "string") {
      left.delete(first)
      const [ago, value] = rest
      if (ago === undefined) found.set(first, null)
      else if (typeof ago === "number")
        found.set(first, { at: receivedAt - ago, ...(value !== undefined && { value }) })
    } else throw new TypeError(unreadable)
  }
  for (const name of left) found.set(name, null)
  return found
}

const isShort = (stored: StoredAttributes): stored is readonly [ago: number, first: number] =>
  typeof stored[0] === "number"

const unreadable = "what an entry overwrote must be stored as lists that begin with a number or a name"

const storedDevice = (token: string, device: DeviceBefore | null, told: Told): StoredDevice => {
  if (device === null) return [token]
  const { attributes, lastUsed, platform } = device
  return [
    token,
    platform ?? 0,
    lastUsed === undefined ? kept : since(told.receivedAt, lastUsed),
    storedAttributes(attributes, told),
  ]
}

const deviceOf = (stored: StoredDevice, told: Told): readonly [string, DeviceBefore | null] => {
  if (stored.length === 1) return [stored[0], null]
  const [token, platform, lastUsed, attributes] = stored
  return [
    token,
    {
      ...(platform !== 0 && { platform }),
      ...(typeof lastUsed !== "string" && { lastUsed: since(told.receivedAt, lastUsed) }),
      attributes: attributesOf(attributes, told),
    },
  ]
}
