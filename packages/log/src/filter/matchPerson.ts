import { personDocument } from "@inlethq/contract/people/People"
import type { PersonRecord } from "@inlethq/core/catalog/Catalog"
import { valueOf } from "@inlethq/core/state/Attributes"
import { searchedName } from "@inlethq/core/state/searchedNames"
import { svcIdText } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { termsIn, termTest } from "./queryTerms.ts"

/**
 * Returns a test whether a person is what a query asks for: words inside an id, an email or a name in any order, identifiers,
 * segments, and attributes by name or by a path into their value.
 */
export const personMatcher = (query: string): ((record: PersonRecord) => boolean) => {
  const tests = termsIn(query).map((term) => {
    const textsOf = term.key === null ? words : textsUnder(term.key)
    const isMet = termTest(term)
    return (record: PersonRecord) => isMet(textsOf(record))
  })
  return (record) => tests.every((test) => test(record))
}

type Texts = (record: PersonRecord) => ReadonlyArray<string>

const present = (texts: ReadonlyArray<string | null>): ReadonlyArray<string> =>
  texts.filter((text) => text !== null)

const words: Texts = ({ person }) =>
  present([person.id, person.email, searchedName(person.attributes), ...person.anonymousIds])

const own: Readonly<Record<string, Texts>> = {
  id: ({ person }) => present([person.id]),
  email: ({ person }) => present([person.email]),
  anonymous_id: ({ person }) => person.anonymousIds,
  svc_id: ({ person }) => [svcIdText(person.workspace, person.key)],
  segment: ({ segments }) => segments.map(String),
  device: ({ person }) => [...person.devices.keys()],
  is: (record) => [personDocument(record).unsubscribed ? "unsubscribed" : "subscribed"],
}

/** Returns the texts that a query compares under a key: of the person, or of the attribute with this name or path. */
const textsUnder = (key: string): Texts => {
  const ofPerson = Object.hasOwn(own, key) ? own[key] : undefined
  const name = key.replace(/^attributes\./, "")
  return (record) => {
    const texts = attributeTexts(record, name)
    return ofPerson === undefined ? texts : [...ofPerson(record), ...texts]
  }
}

/** A value that is not text is compared as JSON, and a list also element by element. */
const attributeTexts = ({ person }: PersonRecord, name: string): ReadonlyArray<string> => {
  const texts = textsOfValue(valueOf(person.attributes, name))
  if (texts.length > 0) return texts
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    const whole = valueOf(person.attributes, name.slice(0, dot))
    const inside = textsOfValue(valueAt(whole, name.slice(dot + 1).split(".")))
    if (inside.length > 0) return inside
  }
  return []
}

const textsOfValue = (value: Json): ReadonlyArray<string> => {
  if (value === null) return []
  if (Array.isArray(value)) return [JSON.stringify(value), ...value.map(textOfValue)]
  return [textOfValue(value)]
}

const textOfValue = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value))

/** Returns what is in a value at a path, or null if there is nothing. */
export const valueAt = (value: Json, path: ReadonlyArray<string>): Json =>
  path.reduce<Json>((within, key) => {
    if (typeof within !== "object" || within === null || !Object.hasOwn(within, key)) return null
    return isJsonObject(within) ? (within[key] ?? null) : (within[Number(key)] ?? null)
  }, value)
