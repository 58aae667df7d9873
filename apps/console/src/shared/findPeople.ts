import type { PersonDocument } from "@inlet/api/management/People"
import { personQueries } from "@inlet/api/management/personQueries"
import { api } from "../api/generated.ts"
import type { PageOf } from "../api/PageOf.ts"

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

/**
 * Searches people by text, and returns a page of them. The people whom the text names in full come first, then those
 * with an id or email that starts with it, or with the attribute in it. An empty text finds all people.
 */
export const findPeople = async (
  w: string,
  text: string,
  search: PeopleSearch,
  signal: AbortSignal,
): Promise<PageOf<PersonDocument>> => {
  if (text === "") return api.people.list(w, search, signal)
  const wanted = attributeIn(text) ?? { q: text }
  const page = () => api.people.list(w, { ...wanted, ...search }, signal)
  if (search.after !== undefined || text.startsWith("attributes.")) return page()
  const byName = personQueries(text).map((query) => api.people.list(w, query, signal))
  const [{ items, ...rest }, ...named] = await Promise.all([page(), ...byName])
  return { ...rest, items: distinctPeople([...named.flatMap((found) => found.items), ...items]) }
}

/** Leaves out a person who is listed already, because the people named in full are also found by what they begin with. */
export const distinctPeople = (people: ReadonlyArray<PersonDocument>): ReadonlyArray<PersonDocument> => [
  ...new Map(people.map((person) => [person.svc_id, person])).values(),
]
