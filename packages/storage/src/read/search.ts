import {
  foundAmong,
  freedTexts,
  longestWord,
  type FoundSubjects,
  type SubjectSearch,
} from "@inlethq/core/catalog/SubjectSearch"
import { digestsOf, type Digest } from "@inlethq/core/ports/Digest"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Subject } from "@inlethq/core/state/Subject"
import { nameTextStart } from "@inlethq/core/state/searchedNames"
import { objectText, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { lookupTypesMax } from "../search/namedSubjects.ts"
import { sliceDocumentsMax } from "../budgets/ReadBudget.ts"
import { searchTexts } from "../search/subjectSearch.ts"
import type { Read, ReadQueries } from "./ReadQueries.ts"

/** The largest number of types of objects in which a search looks for an id without a type. */
const searchedTypesMax = 2000

/** The largest number of objects whose id only begins with the text that a search reads, the newest ones. */
const objectsReadMax = 1000

/** The largest number of people with the longest word of a text in their name who are compared with its other words. */
const wordMatchesMax = 200

/** Finds people, objects, deliveries and forms by their lookup texts. */
export const readSearch = Effect.fnUntraced(function* (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  search: SubjectSearch,
): Effect.fn.Return<FoundSubjects, StoreUnavailable> {
  const texts = freedTexts(search, digestsOf(digest, workspace))
  const named = yield* read((ask) => namedKeys(ask, workspace, search, texts))
  const objects = yield* objectKeys(read, workspace, search)
  const candidates = [...new Set([...named.keys, ...objects.keys])]
  const subjects: Array<Subject> = []
  for (let at = 0; at < candidates.length; at += sliceDocumentsMax) {
    const part = new Set(candidates.slice(at, at + sliceDocumentsMax))
    subjects.push(...(yield* read((ask) => ask.subjects(workspace, part))))
  }
  return { found: foundAmong(subjects, search, named.freed), hasAllTypes: objects.hasAllTypes }
})

interface NamedKeys {
  readonly keys: ReadonlyArray<SubjectKey>
  /** The keys to which the texts that merges freed lead. */
  readonly freed: ReadonlySet<SubjectKey>
}

/** Returns the keys in the text itself, and those of everything that it names without a type of objects. */
const namedKeys = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  { limit, objectKey, personKey, text }: SubjectSearch,
  texts: ReadonlyArray<string>,
): Effect.fn.Return<NamedKeys, E> {
  // One more key for each beginning, because the whole identifier begins with itself.
  const found = [...(yield* ask.keysOf(workspace, searchTexts({ text }), limit + 1))]
  const word = longestWord(text)
  if (word !== null) {
    const texts = { whole: [], beginnings: [nameTextStart(word)] }
    found.push(...(yield* ask.keysOf(workspace, texts, wordMatchesMax)))
  }
  const freed = new Set(yield* ask.keysOf(workspace, { whole: texts, beginnings: [] }, 0))
  const own = [personKey, objectKey].filter((key) => key !== null)
  const people = new Set([...freed, ...(personKey === null ? [] : [personKey])])
  if (people.size === 0) return { keys: [...found, ...own], freed }
  // A merged person's key leads to the person who remains.
  const sizes = yield* ask.sizes(workspace, people)
  const owners = [...sizes.values()].flatMap(({ owner }) => (owner === null ? [] : [owner]))
  return { keys: [...found, ...own, ...owners], freed }
})

/** Returns the keys of the objects whose id is the text or begins with it, in slices of `lookupTypesMax` types. */
const objectKeys = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  search: SubjectSearch,
): Effect.fn.Return<
  { readonly keys: ReadonlyArray<SubjectKey>; readonly hasAllTypes: boolean },
  StoreUnavailable
> {
  const exact: Array<SubjectKey> = []
  let others: ReadonlyArray<SubjectKey> = []
  let hasAllTypes = true
  let after: string | null = null
  for (let looked = 0; looked < searchedTypesMax; looked += lookupTypesMax) {
    const found: FoundObjects = yield* read(objectsOfTypes(workspace, search, after))
    exact.push(...found.exact)
    others = [...others, ...found.others].toSorted((a, b) => b - a).slice(0, objectsReadMax)
    if (found.isCut) hasAllTypes = false
    after = found.next
    if (after === null) return { keys: [...exact, ...others], hasAllTypes }
  }
  return { keys: [...exact, ...others], hasAllTypes: false }
})

interface FoundObjects {
  readonly exact: ReadonlyArray<SubjectKey>
  readonly others: ReadonlyArray<SubjectKey>
  readonly next: string | null
  readonly isCut: boolean
}

const objectsOfTypes =
  (workspace: WorkspaceId, { limit, text }: SubjectSearch, after: string | null) =>
  <E>(ask: ReadQueries<E>): Effect.Effect<FoundObjects, E> =>
    Effect.flatMap(ask.objectTypes(workspace, after, lookupTypesMax), ({ isCut, next, types }) => {
      const texts = types.map((type) => objectText(type, text))
      return Effect.zipWith(
        ask.keysOf(workspace, { whole: texts, beginnings: [] }, 0),
        ask.keysOf(workspace, { whole: [], beginnings: texts }, limit + 1),
        (exact, others) => ({ exact, others, next, isCut }),
      )
    })
