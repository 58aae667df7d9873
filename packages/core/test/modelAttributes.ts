import type { Assignment } from "../src/Attributes.ts"
import type { IdentifyPerson } from "../src/Command.ts"
import type { Json } from "../src/Json.ts"

export interface ModelAttribute {
  name: string
  /** null: removed at that time. */
  value: Json
  at: number
}

const isPresent = (attribute: ModelAttribute): boolean => attribute.value !== null

const put = (attributes: Array<ModelAttribute>, attribute: ModelAttribute, written: Array<string>) => {
  written.push(attribute.name)
  const index = attributes.findIndex((one) => one.name === attribute.name)
  if (index === -1) attributes.push(attribute)
  else attributes[index] = attribute
}

const isRemoval = ({ value }: Assignment): boolean => value === null || value === ""

/** Attributes with a place of their own do not count among a person's. */
const ownPlaces = ["created_at", "unsubscribed", "svc_subscription_preferences"]

const hasRoomFor = (attributes: Array<ModelAttribute>, name: string, command: IdentifyPerson): boolean =>
  ownPlaces.includes(name) ||
  attributes.some((one) => one.name === name && isPresent(one)) ||
  attributes.filter((one) => isPresent(one) && !ownPlaces.includes(one.name)).length <
    command.workspace.limits.attributesPerPersonMax

/**
 * Sets and removes attributes, and says how many did not fit. The order of an object's keys means nothing, so what the
 * update removes makes room for what it sets.
 */
export const assignAll = (
  attributes: Array<ModelAttribute>,
  command: IdentifyPerson,
  written: Array<string>,
): number => {
  const { at } = command
  const last = command.assignments.filter(
    ({ name }, index) => !command.assignments.slice(index + 1).some((later) => later.name === name),
  )
  const timely = last.filter(({ name }) => !attributes.some((known) => known.name === name && known.at > at))
  for (const { name } of timely.filter(isRemoval)) put(attributes, { name, value: null, at }, written)
  let tooMany = 0
  for (const { name, value } of timely.filter((one) => !isRemoval(one))) {
    if (hasRoomFor(attributes, name, command)) put(attributes, { name, value, at }, written)
    else tooMany += 1
  }
  return tooMany
}

/** Gives a person what is known of a visitor: the person's own attributes stay, and what the person
 * removed at that time or later stays removed. */
export const inheritAll = (
  attributes: Array<ModelAttribute>,
  inherited: Array<ModelAttribute>,
  command: IdentifyPerson,
): number => {
  let tooMany = 0
  for (const attribute of inherited) {
    if (!isPresent(attribute)) continue
    const known = attributes.find((one) => one.name === attribute.name)
    if (known !== undefined && (isPresent(known) || known.at >= attribute.at)) continue
    if (hasRoomFor(attributes, attribute.name, command)) put(attributes, attribute, [])
    else tooMany += 1
  }
  return tooMany
}
