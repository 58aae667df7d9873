import type { PersonDocument } from "@inlethq/contract/people/People"
import { termsIn } from "@inlethq/log/filter/queryTerms"
import { api } from "../../api/generated.ts"
import type { PageOf } from "../../api/PageOf.ts"

interface PeopleSearch {
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** `formerly` is the text of the search if it names somebody who was merged into the person. */
export type FoundPerson = PersonDocument & { readonly formerly?: string }

/** The largest number of people who are found by name. */
const namedMax = 10

/** Begins the cursor of a page on which people are compared with the query one by one. */
const scanned = "scan:"

/** Returns whether a query is made of words alone, with which identifiers and names can begin. */
const isWords = (query: string): boolean =>
  termsIn(query).every(
    ({ isExcluded, key, values }) => key === null && !isExcluded && values.flat().length === 1,
  )

/**
 * Searches people by a query, and returns a page of them. The people whom the query names in full come first, also those
 * into whom somebody was merged whom it names. Then come those with an id, an email or a word of a name that begins with it,
 * whom an index finds, and then all others of whom it holds. An empty query finds all people.
 */
export const findPeople = async (
  w: string,
  query: string,
  { after, limit }: PeopleSearch,
  signal: AbortSignal,
): Promise<PageOf<FoundPerson>> => {
  if (query === "") return api.people.list(w, { after, limit }, signal)
  const isIndexed = isWords(query) && after?.startsWith(scanned) !== true
  if (isIndexed) {
    const page = await api.people.list(w, { q: query, after, limit }, signal)
    const named = after === undefined ? await peopleNamed(w, query, page.items, signal) : page.items
    return { items: named, next: page.next ?? scanned }
  }
  const from = after?.startsWith(scanned) === true ? after.slice(scanned.length) : ""
  const page = await api.people.list(w, { filter: query, after: from, limit }, signal)
  const named = after === undefined ? await peopleNamed(w, query, page.items, signal) : page.items
  return { ...page, items: named, next: page.next === null ? null : scanned + page.next }
}

/** Returns a first page of people after those whom the query names in full, and before others whose name it begins. */
const peopleNamed = async (
  w: string,
  query: string,
  items: ReadonlyArray<PersonDocument>,
  signal: AbortSignal,
): Promise<ReadonlyArray<FoundPerson>> => {
  const found = await api.search.find(w, { q: query, kind: "person", limit: namedMax }, signal)
  const listed = new Map(items.map((person) => [person.svc_id, person]))
  const people = found.items.flatMap((one) => (one.kind === "person" ? [one] : []))
  const read = await Promise.all(
    people.map(async ({ exact, merged_svc_id, svc_id }): Promise<ReadPerson> => {
      const person = listed.get(svc_id) ?? (await api.people.get(w, svc_id, {}, signal))
      return { exact, person: merged_svc_id === null ? person : { ...person, formerly: query } }
    }),
  )
  const exact = read.filter((one) => one.exact).map(({ person }) => person)
  return distinctPeople([...exact, ...items, ...read.map(({ person }) => person)])
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
