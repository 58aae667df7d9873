import type { Assignment } from "@inlethq/core/state/Attributes"
import type { Json } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"

export interface ModelAttribute {
  name: string
  /** The value of the attribute; null if the attribute was removed. */
  value: Json
  at: number
}

export interface ModelDevice {
  token: string
  platform: string
  lastUsed: number | null
  attributes: Array<ModelAttribute>
}

export interface ModelRelationship {
  object: number
  attributes: Array<ModelAttribute>
}

/** The data that people and visitors have in common. */
export interface ModelHolder {
  attributes: Array<ModelAttribute>
  devices: Array<ModelDevice>
  relationships: Array<ModelRelationship>
}

export const nothingHeld = (): ModelHolder => ({ attributes: [], devices: [], relationships: [] })

/** The limit on attributes, and the names that do not count towards the limit. */
export interface Room {
  max: number
  uncounted: ReadonlyArray<string>
}

export const personRoom = ({ limits }: Workspace): Room => ({
  max: limits.attributesPerPersonMax,
  uncounted: ["created_at", "unsubscribed", "svc_subscription_preferences"],
})

/** The limit on the attributes of an object or a relationship. */
export const objectRoom = ({ limits }: Workspace): Room => ({
  max: limits.attributesPerObjectMax,
  uncounted: [],
})

/** The Track API documents no limit for a device's attributes, so the limit for a person applies. */
export const deviceRoom = ({ limits }: Workspace): Room => ({
  max: limits.attributesPerPersonMax,
  uncounted: [],
})

const isPresent = (attribute: ModelAttribute): boolean => attribute.value !== null

const isRemoval = ({ value }: Assignment): boolean => value === null || value === ""

const put = (attributes: Array<ModelAttribute>, attribute: ModelAttribute): void => {
  const index = attributes.findIndex((one) => one.name === attribute.name)
  if (index === -1) attributes.push(attribute)
  else attributes[index] = attribute
}

const hasRoomFor = (attributes: Array<ModelAttribute>, name: string, { max, uncounted }: Room): boolean =>
  uncounted.includes(name) ||
  attributes.some((one) => one.name === name && isPresent(one)) ||
  attributes.filter((one) => isPresent(one) && !uncounted.includes(one.name)).length < max

export interface Assigned {
  /** The number of attributes that were left out because they did not fit or a newer value was stored. */
  leftOut: number
  wrote: boolean
}

/**
 * Sets and removes attributes with the time `at`. Removals come first, so that they make room. Returns the number of
 * attributes left out.
 */
export const assignAll = (
  attributes: Array<ModelAttribute>,
  assignments: ReadonlyArray<Assignment>,
  at: number,
  room: Room,
): Assigned => {
  const last = assignments.filter(
    ({ name }, index) => !assignments.slice(index + 1).some((later) => later.name === name),
  )
  const timely = last.filter(({ name }) => !attributes.some((known) => known.name === name && known.at > at))
  const removals = timely.filter(isRemoval)
  for (const { name } of removals) put(attributes, { name, value: null, at })
  const assigned = { leftOut: last.length - timely.length, wrote: removals.length > 0 }
  for (const { name, value } of timely.filter((one) => !isRemoval(one))) {
    if (hasRoomFor(attributes, name, room)) {
      put(attributes, { name, value, at })
      assigned.wrote = true
    } else assigned.leftOut += 1
  }
  return assigned
}

/**
 * Adds the attributes of `inherited` to `attributes`, except those that already have a value in `attributes`. If
 * `times` is "by time", also leaves out an inherited attribute that is not newer than its removal from `attributes`.
 * Returns the number of attributes left out because of the limit.
 */
const inheritAll = (
  attributes: Array<ModelAttribute>,
  inherited: ReadonlyArray<ModelAttribute>,
  room: Room,
  times: "by time" | "ignore times",
): number => {
  let tooMany = 0
  for (const attribute of inherited.filter(isPresent)) {
    const known = attributes.find((one) => one.name === attribute.name)
    if (known !== undefined && isPresent(known)) continue
    if (known !== undefined && times === "by time" && known.at >= attribute.at) continue
    if (hasRoomFor(attributes, attribute.name, room)) put(attributes, { ...attribute })
    else tooMany += 1
  }
  return tooMany
}

/**
 * Returns whether two people together have more than twice the limit of attributes. Returns false if the second person
 * has no attribute that the first person lacks.
 */
export const haveTooMany = (one: ModelHolder, other: ModelHolder, { max, uncounted }: Room): boolean => {
  const namesOf = ({ attributes }: ModelHolder) =>
    attributes.filter((given) => isPresent(given) && !uncounted.includes(given.name)).map(({ name }) => name)
  const own = new Set(namesOf(one))
  const all = new Set([...own, ...namesOf(other)])
  return all.size > own.size && all.size > 2 * max
}

/**
 * Adds the attributes, devices and relationships of another person or visitor. Returns the number of attributes that
 * would exceed a limit and were left out.
 */
export const inheritHolder = (
  to: ModelHolder,
  from: ModelHolder,
  workspace: Workspace,
  times: "by time" | "ignore times",
): number => {
  const bounded = (room: Room): Room => (times === "ignore times" ? { ...room, max: Infinity } : room)
  let tooMany = inheritAll(to.attributes, from.attributes, bounded(personRoom(workspace)), times)
  to.devices.push(...from.devices)
  for (const { attributes, object } of from.relationships) {
    let own = to.relationships.find((one) => one.object === object)
    if (own === undefined) {
      own = { object, attributes: [] }
      to.relationships.push(own)
    }
    tooMany += inheritAll(own.attributes, attributes, bounded(objectRoom(workspace)), times)
  }
  return tooMany
}
