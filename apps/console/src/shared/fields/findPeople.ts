import type { PersonDocument } from "@inlethq/contract/people/People"
import { api } from "../../api/generated.ts"
import type { PageOf } from "../../api/PageOf.ts"

const attributePattern = /^(attributes\.)?([^=]+)=(.*)$/s

/**
 * An attribute in a search text such as `plan=pro`. Without a value, the search finds people with any value of the
 * attribute.
 */
interface WantedAttribute {
  readonly attribute: string
  readonly value: string | undefined
}

/** Returns the attribute in a search text such as `plan=pro` or `attributes.plan=pro`, or undefined without one. */
export const attributeIn = (text: string): WantedAttribute | undefined => {
  const [, , attribute, value] = attributePattern.exec(text) ?? []
  return attribute === undefined ? undefined : { attribute, value: value === "" ? undefined : value }
}

interface PeopleSearch {
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** `formerly` is the text of the search if it names somebody who was merged into the person. */
export type FoundPerson = PersonDocument & { readonly formerly?: string }

/** The largest number of people who are found by name. */
const namedMax = 10

/**
 * Searches people by text, and returns a page of them. The people whom the text names in full come first, also those into
 * whom somebody was merged whom it names, then those
 * with an id or email that starts with it, or with the attribute in it, and then those with a word of their name that
 * starts with it. An empty text finds all people.
 */
export const findPeople = async (
  w: string,
  text: string,
  search: PeopleSearch,
  signal: AbortSignal,
): Promise<PageOf<FoundPerson>> => {
  if (text === "") return api.people.list(w, search, signal)
  const wanted = attributeIn(text) ?? { q: text }
  const page = () => api.people.list(w, { ...wanted, ...search }, signal)
  if (search.after !== undefined || text.startsWith("attributes.")) return page()
  const find = api.search.find(w, { q: text, kind: "person", limit: namedMax }, signal)
  const [{ items, ...rest }, found] = await Promise.all([page(), find])
  const listed = new Map(items.map((person) => [person.svc_id, person]))
  const people = found.items.flatMap((one) => (one.kind === "person" ? [one] : []))
  const read = await Promise.all(
    people.map(async ({ exact, merged_svc_id, svc_id }): Promise<ReadPerson> => {
      const person = listed.get(svc_id) ?? (await api.people.get(w, svc_id, {}, signal))
      return { exact, person: merged_svc_id === null ? person : { ...person, formerly: text } }
    }),
  )
  const exact = read.filter((one) => one.exact).map(({ person }) => person)
  return { ...rest, items: distinctPeople([...exact, ...items, ...read.map(({ person }) => person)]) }
}

interface ReadPerson {
  readonly exact: boolean
  readonly person: FoundPerson
}

/** Leaves out a person who is listed already, because the people named in full are also found by what they begin with. */
export const distinctPeople = (people: ReadonlyArray<FoundPerson>): ReadonlyArray<FoundPerson> => {
  const first = new Map<string, FoundPerson>()
  for (const person of people) if (!first.has(person.svc_id)) first.set(person.svc_id, person)
  return [...first.values()]
}
