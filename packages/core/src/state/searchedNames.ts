import { valueOf, type Attributes } from "./Attributes.ts"
import { foldText } from "../values/foldText.ts"
import type { SubjectKey } from "../values/Identifier.ts"

/** The largest number of characters of a name by which a person is found. */
const nameLengthMax = 60

/** A person is found by at most this many names and endings of names. */
const namesMax = 6

const nameAttributes = ["name", "first_name", "last_name"]

/** Returns a text as names are compared: folded, with single spaces, and cut to `nameLengthMax`. */
export const comparedName = (text: string): string => {
  if (text === "") return text
  const compared = foldText(text.slice(0, nameLengthMax * 4))
    .trim()
    .replaceAll(/\s+/g, " ")
  // A text has at most as many characters as code units, so a short text need not be divided into characters.
  return compared.length <= nameLengthMax ? compared : Array.from(compared).slice(0, nameLengthMax).join("")
}

/**
 * Returns the names by which a person is found: the attribute `name`, and `first_name` with `last_name`. Each is also
 * found from its second word on, so `Ada King Lovelace` is found by `king` and by `lovelace`.
 */
export const searchedNames = (attributes: Attributes): ReadonlyArray<string> => {
  const { first, last, name } = partsOf(attributes)
  const names = endingsOf(comparedName(name))
  for (const ending of endingsOf(
    comparedName(first === "" || last === "" ? first + last : `${first} ${last}`),
  ))
    if (!names.includes(ending)) names.push(ending)
  return names.length <= namesMax ? names : names.slice(0, namesMax)
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

/** Returns a name, and what is left of it from each later word on. */
const endingsOf = (name: string): Array<string> => {
  if (name === "") return []
  const endings = [name]
  for (let at = name.indexOf(" "); at >= 0; at = name.indexOf(" ", at + 1)) endings.push(name.slice(at + 1))
  return endings
}

/** Returns whether two versions of a person's attributes have different names. */
export const isRenamed = (before: Attributes, after: Attributes): boolean =>
  nameAttributes.some((name) => before.get(name)?.value !== after.get(name)?.value)

/** Returns the beginning of the lookup texts of people with a name that begins with `name`. */
export const nameTextStart = (name: string): string => `name:${name}`

/** Returns the lookup text of a person's name. It has the person's key, because people can have the same name. */
export const nameText = (name: string, key: SubjectKey): string => `${nameTextStart(name)}\n${key}`
