import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { personBeginsWith } from "@inlethq/core/catalog/SubjectSearch"
import { Person } from "@inlethq/core/state/Person"
import { comparedName, nameTextStart } from "@inlethq/core/state/searchedNames"
import { identifierText, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Effect, Schema } from "effect"
import { stateCodes } from "../columns/codes.ts"
import type { Row } from "../columns/columns.ts"
import { lightRowsMax, sliceDocumentsMax } from "../budgets/ReadBudget.ts"
import { subjectFromRow } from "../rows/subjectRows.ts"
import { prefixMatchesMax, walkedPeopleMax } from "./prefixSearch.ts"
import type { Read, ReadQueries } from "./ReadQueries.ts"
import { emptyPage, fillPage, isLast, keyOf, pageOf, type FilledPage } from "./subjectPages.ts"

const decodePerson = Schema.decodeUnknownSync(Person)

/**
 * Finds the people with an id, an email or a name that begins with a prefix. If few identifiers match, reads the people with these
 * identifiers. If many identifiers match, first checks a bounded number of people in key order, because many of them
 * are likely to match. If the page is then not full, reads all matching identifiers.
 */
export const searchPeople = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  prefix: string,
  page: PageRequest<SubjectKey>,
): Effect.fn.Return<Page<Person, SubjectKey>, StoreUnavailable> {
  const few = yield* read((ask) => fewPeople(ask, workspace, prefix, page))
  if (few !== undefined) return yield* pageOfKeys(read, workspace, prefix, few, page)
  const near = yield* walkPeople(read, workspace, prefix, page)
  if (near.items.length > page.limit || near.isEnd) return cut(near.items, page.limit)
  const left = { ...page, after: near.last, limit: page.limit + 1 - near.items.length }
  const keys = yield* nextMatches(read, workspace, prefix, left)
  const far = yield* pageOfKeys(read, workspace, prefix, { page: emptyPage, left: inOrder(keys, left) }, left)
  const { items, next } = cut([...near.items, ...far.items], page.limit)
  return { items, next: next ?? far.next }
})

const cut = (items: ReadonlyArray<Person>, limit: number): Page<Person, SubjectKey> => {
  const shown = items.slice(0, limit)
  return { items: shown, next: items.length > limit ? (shown.at(-1)?.key ?? null) : null }
}

const personBeginningWith =
  (prefix: string) =>
  (row: Row): Person | undefined => {
    const subject = subjectFromRow(row)
    return subject._tag === "Person" && personBeginsWith(subject, prefix) ? decodePerson(subject) : undefined
  }

/** Leaves out the keys up to the page's cursor `after`, and sorts the other keys in the order of the page. */
const inOrder = (
  keys: Iterable<SubjectKey>,
  { after, order }: PageRequest<SubjectKey>,
): ReadonlyArray<SubjectKey> =>
  Array.from(keys)
    .filter((key) => after === null || (order === "asc" ? key > after : key < after))
    .toSorted((a, b) => (order === "asc" ? a - b : b - a))

/** A page of people, and the keys of those who may follow on it. */
interface KeyedPage {
  readonly page: FilledPage<Person>
  readonly left: ReadonlyArray<SubjectKey>
}

/** Fills a page with the people of the keys that are left. */
const pageOfKeys = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  prefix: string,
  begun: KeyedPage,
  { limit }: PageRequest<SubjectKey>,
): Effect.fn.Return<Page<Person, SubjectKey>, StoreUnavailable> {
  let keyed = begun
  while (keyed.left.length > 0 && !keyed.page.isFull) {
    const before = keyed
    keyed = yield* read((ask) => nextOfKeys(ask, workspace, prefix, before, limit))
  }
  return pageOf(keyed.page)
})

/**
 * Reads the next people of the keys that are left. Leaves out people who do not match the prefix, because they may have
 * changed since their identifiers were read.
 */
const nextOfKeys = <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  prefix: string,
  { left, page }: KeyedPage,
  limit: number,
): Effect.Effect<KeyedPage, E> => {
  const personOf = personBeginningWith(prefix)
  const part = left.slice(0, Math.min(limit + 1 - page.items.length, sliceDocumentsMax))
  return Effect.map(ask.listedAt(workspace, part, stateCodes.person), ({ isCut, rows }) => {
    const last = isCut ? keyOf(rows.at(-1)) : null
    return {
      page: fillPage(page, rows, limit, personOf, (row) => personOf(row) !== undefined),
      left: left.slice(last === null ? part.length : left.indexOf(last) + 1),
    }
  })
}

/**
 * Checks a bounded number of people in key order. Returns the matching people, at most one person more than a page
 * holds, and the key of the last person that was checked.
 */
const walkPeople = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  prefix: string,
  { after, limit, order }: PageRequest<SubjectKey>,
) {
  const items: Array<Person> = []
  const personOf = personBeginningWith(prefix)
  let last = after
  for (let left = walkedPeopleMax; left > 0 && items.length <= limit;) {
    const room = limit + 1 - items.length
    // Nearly everyone may match, as with the prefix of all ids. The first step therefore reads no more than the page holds.
    const wanted = Math.min(left, left === walkedPeopleMax ? room : sliceDocumentsMax, sliceDocumentsMax)
    const part = { after: last, order, limit: wanted }
    const { isEnd, looked, people } = yield* read((ask) =>
      Effect.map(ask.listed(workspace, { _tag: "OfKind", state: stateCodes.person }, part), (found) => ({
        ...matchesIn(found.rows, room, personOf),
        isEnd: isLast(found, wanted),
      })),
    )
    items.push(...people)
    left -= looked.count
    last = looked.last ?? last
    if (isEnd && items.length <= limit) return { items, last, isEnd }
  }
  return { items, last, isEnd: false }
})

/** Returns the first `room` people in rows, and how far it had to look for them. */
const matchesIn = (rows: ReadonlyArray<Row>, room: number, personOf: (row: Row) => Person | undefined) => {
  const people: Array<Person> = []
  let count = 0
  for (const row of rows) {
    if (people.length === room) break
    const person = personOf(row)
    if (person !== undefined) people.push(person)
    count++
  }
  return { people, looked: { count, last: keyOf(rows[count - 1]) } }
}

const beginnings = (prefix: string): ReadonlyArray<string> => {
  const name = comparedName(prefix)
  const identifiers = [identifierText("id", prefix), identifierText("email", prefix)]
  return name === "" ? identifiers : [...identifiers, nameTextStart(name)]
}

/** Begins a page of all matching people, or returns undefined if too many identifiers match. */
const fewPeople = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  prefix: string,
  page: PageRequest<SubjectKey>,
): Effect.fn.Return<KeyedPage | undefined, E> {
  const keys = new Set<SubjectKey>()
  for (const beginning of beginnings(prefix)) {
    const found = yield* ask.keysOf(workspace, { whole: [], beginnings: [beginning] }, prefixMatchesMax + 1)
    if (found.length > prefixMatchesMax) return undefined
    for (const key of found) keys.add(key)
  }
  const begun = { page: emptyPage, left: inOrder(keys, page) }
  return begun.left.length === 0 ? begun : yield* nextOfKeys(ask, workspace, prefix, begun, page.limit)
})

/**
 * Returns keys of people with a matching identifier: the first keys after the page's cursor, at most `limit` + 1 keys.
 */
const nextMatches = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  prefix: string,
  page: PageRequest<SubjectKey>,
): Effect.fn.Return<ReadonlyArray<SubjectKey>, StoreUnavailable> {
  let nearest: ReadonlyArray<SubjectKey> = []
  for (const beginning of beginnings(prefix)) {
    for (let after: string | null | undefined = null; after !== undefined;) {
      const next: NextMatches = yield* read(nearestOf(workspace, beginning, after, nearest, page))
      nearest = next.nearest
      after = next.after
    }
  }
  return nearest
})

interface NextMatches {
  readonly nearest: ReadonlyArray<SubjectKey>
  /** The last identifier that was read, or undefined if no more follow it. */
  readonly after: string | undefined
}

/** Reads the next identifiers, and keeps the nearest keys among theirs and `known`. */
const nearestOf =
  (
    workspace: WorkspaceId,
    beginning: string,
    after: string | null,
    known: ReadonlyArray<SubjectKey>,
    page: PageRequest<SubjectKey>,
  ) =>
  <E>(ask: ReadQueries<E>): Effect.Effect<NextMatches, E> =>
    Effect.map(ask.identifiersFrom(workspace, beginning, after, lightRowsMax), (found) => ({
      nearest: inOrder(new Set([...known, ...found.map(({ subject }) => subject)]), page).slice(
        0,
        page.limit + 1,
      ),
      after: found.length < lightRowsMax ? undefined : found.at(-1)?.text,
    }))
