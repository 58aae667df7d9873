import { personDocument } from "@inlethq/contract/people/People"
import type { Catalog, PersonRecord } from "@inlethq/core/catalog/Catalog"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { valueOf } from "@inlethq/core/state/Attributes"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Json } from "@inlethq/core/values/Json"
import { valueAt } from "@inlethq/log/filter/matchPerson"
import { Effect } from "effect"
import { pageCharactersMax } from "../answers/pageAnswer.ts"

/** The number of people in one read from the store. */
const peoplePerRead = 200

/** The largest number of reads from the store for one page of a search. */
const readsPerPageMax = 25

/** An attribute to search people by. If `value` is undefined, the attribute may have any value. */
export interface WantedAttribute {
  /** The name of an attribute, or a path into its value, such as `plan.tier` or `items.0`. */
  readonly name: string
  readonly value: string | undefined
}

/** A page of the people who were found. `searched` is the number of people who were checked to fill the page. */
export interface SearchedPeople extends Page<PersonRecord, SubjectKey> {
  readonly searched: number
}

/**
 * Searches people by a condition, in the order of their creation. Attributes have no index, so the search reads people
 * and compares them. A page checks at most `readsPerPageMax` times `peoplePerRead` people, and ends after
 * `pageCharactersMax` characters. Therefore a page that is not the last may have fewer people than the limit, or no
 * people.
 */
export const scanPeople = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  isWanted: (record: PersonRecord) => boolean,
  { limit, ...page }: PageRequest<SubjectKey>,
): Effect.fn.Return<SearchedPeople, StoreUnavailable> {
  const items: Array<PersonRecord> = []
  let searched = 0
  let characters = 0
  let after = page.after
  for (let reads = 0; reads < readsPerPageMax; reads++) {
    const found: Page<PersonRecord, SubjectKey> = yield* catalog.people(workspace, null, {
      ...page,
      limit: peoplePerRead,
      after,
    })
    for (const record of found.items) {
      searched++
      if (!isWanted(record)) continue
      items.push(record)
      characters += JSON.stringify(personDocument(record)).length
      if (items.length === limit || characters > pageCharactersMax) {
        return { items, searched, next: record.person.key }
      }
    }
    after = found.next
    if (after === null) break
  }
  return { items, searched, next: after }
})

/**
 * Returns whether a person has the wanted attribute with the wanted value. An attribute that is not text is compared as
 * JSON.
 */
export const hasAttribute =
  (wanted: WantedAttribute) =>
  ({ person }: PersonRecord): boolean => {
    const { name, value } = wanted
    const isWanted = (stored: Json): boolean =>
      stored !== null &&
      (value === undefined || value === (typeof stored === "string" ? stored : JSON.stringify(stored)))
    if (isWanted(valueOf(person.attributes, name))) return true
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      const whole = valueOf(person.attributes, name.slice(0, dot))
      if (isWanted(valueAt(whole, name.slice(dot + 1).split(".")))) return true
    }
    return false
  }
