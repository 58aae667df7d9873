import type { Attributes, Stamped } from "@inlethq/core/state/Attributes"
import { noDevices, type Device, type Devices } from "@inlethq/core/state/Device"
import { noRelationships, type Relationships } from "@inlethq/core/state/Relationships"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"

/*
 * Documents store attributes, devices and relationships as flat lists. Lists are shorter than JSON objects, and keep
 * the order of names such as "10". In all functions of this file, the argument `from` is the creation time of the
 * person or object.
 */

/**
 * Three items for each attribute: its name, its value, and how many milliseconds its time is after the time of the
 * previous attribute. The time of the first attribute counts from the creation of the person or object.
 */
export type FlatAttributes = ReadonlyArray<Json>

/** For each relationship, the key of the object and, if any, the attributes of the relationship. */
export type FlatRelationships = ReadonlyArray<readonly [object: SubjectKey, attributes?: FlatAttributes]>

export type FlatDevices = ReadonlyArray<
  readonly [token: string, platform: string, lastUsed: number | null, attributes?: FlatAttributes]
>

export const flatAttributes = (attributes: Attributes, from: number): FlatAttributes | undefined => {
  if (attributes.size === 0) return undefined
  const items: Array<Json> = []
  let before = from
  for (const [name, { at, value }] of attributes) {
    items.push(name, value, at - before)
    before = at
  }
  return items
}

export const attributesOf = (items: FlatAttributes | undefined, from: number): Attributes => {
  const attributes = new Map<string, Stamped>()
  if (items === undefined) return attributes
  let at = from
  for (let i = 0; i + 2 < items.length; i += 3) {
    const name = items[i]
    const after = items[i + 2]
    if (typeof name !== "string" || typeof after !== "number") {
      throw new TypeError("the attributes in a stored document must be triples of name, value and time")
    }
    at += after
    attributes.set(name, { value: items[i + 1] ?? null, at })
  }
  return attributes
}

export const flatDevices = (devices: Devices, from: number): FlatDevices | undefined => {
  if (devices.size === 0) return undefined
  return Array.from(devices, ([token, { attributes, lastUsed, platform }]) => {
    const items = flatAttributes(attributes, from)
    return items === undefined ? [token, platform, lastUsed] : [token, platform, lastUsed, items]
  })
}

export const devicesOf = (items: FlatDevices | undefined, from: number): Devices => {
  if (items === undefined) return noDevices
  const devices = new Map<string, Device>()
  for (const [token, platform, lastUsed, attributes] of items) {
    devices.set(token, { platform, lastUsed, attributes: attributesOf(attributes, from) })
  }
  return devices
}

export const flatRelationships = (
  relationships: Relationships,
  from: number,
): FlatRelationships | undefined => {
  if (relationships.size === 0) return undefined
  return Array.from(relationships, ([object, attributes]) => {
    const items = flatAttributes(attributes, from)
    return items === undefined ? [object] : [object, items]
  })
}

export const relationshipsOf = (items: FlatRelationships | undefined, from: number): Relationships => {
  if (items === undefined) return noRelationships
  return new Map(items.map(([object, attributes]) => [object, attributesOf(attributes, from)]))
}
