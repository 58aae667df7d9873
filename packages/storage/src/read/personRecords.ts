import type { PersonRecord } from "@inlethq/core/catalog/Catalog"
import type { Page } from "@inlethq/core/values/Page"
import { DataObject } from "@inlethq/core/state/DataObject"
import type { Person } from "@inlethq/core/state/Person"
import type { Subject } from "@inlethq/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect, Schema } from "effect"
import { stateCodes } from "../columns/codes.ts"
import { fitPage, type ItemWithNamed } from "../budgets/pageBudget.ts"
import type { Read, ReadQueries, SubjectSize } from "./ReadQueries.ts"
import { partsOf, sizesInSlices, sizesPerSlice, subjectsInSlices } from "./subjectsInSlices.ts"

/**
 * Adds to each person their segments and at most `max` of their objects. Reads the sizes of these objects and segments
 * first, and then only the objects that fit into `pageBytesMax`. Leaves out deleted objects and segments. Ends the page
 * when its size limit is reached.
 */
export const readPersonRecords = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  page: Page<Person, SubjectKey>,
  max: number,
): Effect.fn.Return<Page<PersonRecord, SubjectKey>, StoreUnavailable> {
  const named = namedByPeople(page.items, max)
  if (named.size === 0) return recordsOf(fitPeople(page, max, new Map()), new Map())
  const atOnce = yield* read((ask) => personRecordsAtOnce(ask, workspace, page, max))
  if (atOnce !== undefined) return atOnce
  const sizes = yield* sizesInSlices(read, workspace, named)
  const fitted = fitPeople(page, max, sizes)
  return recordsOf(fitted, yield* subjectsInSlices(read, workspace, fitted.objects, sizes, objectIn))
})

/** Does the same within one slice. Returns undefined if one slice is too small for the objects and segments. */
export const personRecordsAtOnce = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  page: Page<Person, SubjectKey>,
  max: number,
): Effect.fn.Return<Page<PersonRecord, SubjectKey> | undefined, E> {
  const named = namedByPeople(page.items, max)
  if (named.size > sizesPerSlice) return undefined
  const sizes = yield* ask.sizes(workspace, named)
  const fitted = fitPeople(page, max, sizes)
  if (partsOf(fitted.objects, sizes).length > 1) return undefined
  const found = yield* ask.subjects(workspace, fitted.objects)
  const objects = new Map<SubjectKey, DataObject>()
  for (const subject of found) {
    const object = objectIn(subject)
    if (object !== undefined) objects.set(subject.key, object)
  }
  return recordsOf(fitted, objects)
})

/**
 * A page of people that ends where its size limit is reached, and the keys of the objects and segments to read for
 * these people.
 */
interface FittedPeople {
  readonly page: Page<ItemWithNamed<Person>, SubjectKey>
  readonly objects: ReadonlySet<SubjectKey>
  /** The segments of these people, by the keys that the people store. */
  readonly segments: ReadonlyMap<SubjectKey, SubjectKey>
}

const decodeObject = Schema.decodeUnknownSync(DataObject)

/** Returns the subject as an object, or undefined if the subject is something else. */
const objectIn = (subject: Subject): DataObject | undefined =>
  subject._tag === "DataObject" ? decodeObject(subject) : undefined

const objectsOf = ({ relationships }: Person, max: number): ReadonlyArray<SubjectKey> =>
  [...relationships.keys()].slice(0, max)

/** For each person, returns the keys of all segments and of the first `max` objects. */
const namedByPeople = (people: ReadonlyArray<Person>, max: number): ReadonlySet<SubjectKey> =>
  new Set(people.flatMap((person) => [...objectsOf(person, max), ...person.segments]))

/**
 * Shortens a page of people until the documents of their objects fit into `pageBytesMax`. Keeps at most the first `max`
 * objects of each person. `sizes` contains the sizes of the objects and segments in `namedByPeople` that still exist.
 */
const fitPeople = (
  people: Page<Person, SubjectKey>,
  max: number,
  sizes: ReadonlyMap<SubjectKey, SubjectSize>,
): FittedPeople => {
  const ofState = (state: number) => new Map([...sizes].filter(([, size]) => size.state === state))
  const page = fitPage(people, (person) => objectsOf(person, max), ofState(stateCodes.object))
  return {
    page,
    objects: new Set(page.items.flatMap(({ named }) => named)),
    segments: new Map(
      Array.from(sizes).flatMap(([key, { owner, state }]) => {
        if (state === stateCodes.segment) return [[key, key] as const]
        return state === stateCodes.segmentMembers && owner !== null ? [[key, owner] as const] : []
      }),
    ),
  }
}

/** Returns each person with their objects and segments. Leaves out objects and segments that do not exist any more. */
const recordsOf = (
  { page: { items, next }, segments }: FittedPeople,
  objects: ReadonlyMap<SubjectKey, DataObject>,
): Page<PersonRecord, SubjectKey> => ({
  items: items.map(({ item: person, named }) => ({
    person,
    relationships: named.flatMap((key) => {
      const object = objects.get(key)
      const attributes = person.relationships.get(key)
      return object === undefined || attributes === undefined ? [] : [{ object, attributes }]
    }),
    segments: person.segments.flatMap((key) => segments.get(key) ?? []),
  })),
  next,
})
