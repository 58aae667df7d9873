import { valueOf, type Attributes } from "./Attributes.ts"
import type { SubjectKey } from "../values/Identifier.ts"

/** The largest number of characters of a name by which a person is found. */
const nameLengthMax = 60

/** A person is found by at most this many names and endings of names. */
const namesMax = 6

/** Returns a text as names are compared: in lower case, with single spaces, and cut to `nameLengthMax`. */
export const comparedName = (text: string): string =>
  Array.from(
    text
      .slice(0, nameLengthMax * 4)
      .toLowerCase()
      .trim()
      .replaceAll(/\s+/g, " "),
  )
    .slice(0, nameLengthMax)
    .join("")

/**
 * Returns the names by which a person is found: the attribute `name`, and `first_name` with `last_name`. Each is also
 * found from its second word on, so `Ada King Lovelace` is found by `king` and by `lovelace`.
 */
export const searchedNames = (attributes: Attributes): ReadonlyArray<string> => {
  const { first, last, name } = partsOf(attributes)
  const names = [comparedName(name), comparedName(`${first} ${last}`)].flatMap(endingsOf)
  return [...new Set(names)].slice(0, namesMax)
}

/** Returns the name of a person as operators see it: `name`, or `first_name` and `last_name`. Null without either. */
export const searchedName = (attributes: Attributes): string | null => {
  const { first, last, name } = partsOf(attributes)
  return name.trim() || `${first} ${last}`.trim() || null
}

const partsOf = (attributes: Attributes) => {
  const textOf = (attribute: string) => {
    const value = valueOf(attributes, attribute)
    return typeof value === "string" ? value : ""
  }
  return { name: textOf("name"), first: textOf("first_name"), last: textOf("last_name") }
}

const endingsOf = (name: string): ReadonlyArray<string> => {
  if (name === "") return []
  const words = name.split(" ")
  return words.map((_, index) => words.slice(index).join(" "))
}

/** Returns whether an attribute is one of those in `searchedNames`. */
export const isNameAttribute = (attribute: string): boolean =>
  attribute === "name" || attribute === "first_name" || attribute === "last_name"

/** Returns the beginning of the lookup texts of people with a name that begins with `name`. */
export const nameTextStart = (name: string): string => `name:${name}`

/** Returns the lookup text of a person's name. It has the person's key, because people can have the same name. */
export const nameText = (name: string, key: SubjectKey): string => `${nameTextStart(name)}\n${key}`
