import type { PersonRecord } from "@inlet/core/catalog/Catalog"
import type { Page } from "@inlet/core/values/Page"
import { DataObject } from "@inlet/core/state/DataObject"
import type { Person } from "@inlet/core/state/Person"
import type { Subject } from "@inlet/core/state/Subject"
import type { SubjectKey } from "@inlet/core/values/Identifier"
import { Schema } from "effect"
import type { SubjectSize } from "./activityRecords.ts"
import { stateCodes } from "./codes.ts"
import { fitPage, type ItemWithNamed } from "./pageBudget.ts"

/*
 * These functions add objects and segments to the people of a page. A store first reads the sizes of these objects and
 * segments in bytes. The store then reads only the objects that fit into `pageBytesMax`.
 */

/**
 * A page of people that ends where its size limit is reached, and the keys of the objects and segments to read for
 * these people.
 */
export interface FittedPeople {
  readonly page: Page<ItemWithNamed<Person>, SubjectKey>
  readonly objects: ReadonlySet<SubjectKey>
  readonly segments: ReadonlySet<SubjectKey>
}

const decodeObject = Schema.decodeUnknownSync(DataObject)

/** Returns the subject as an object, or undefined if the subject is something else. */
export const objectIn = (subject: Subject): DataObject | undefined =>
  subject._tag === "DataObject" ? decodeObject(subject) : undefined

const objectsOf = ({ relationships }: Person, max: number): ReadonlyArray<SubjectKey> =>
  [...relationships.keys()].slice(0, max)

/** For each person, returns the keys of all segments and of the first `max` objects. */
export const namedByPeople = (people: ReadonlyArray<Person>, max: number): ReadonlySet<SubjectKey> =>
  new Set(people.flatMap((person) => [...objectsOf(person, max), ...person.segments]))

/**
 * Shortens a page of people until the documents of their objects fit into `pageBytesMax`. Keeps at most the first `max`
 * objects of each person. `sizes` contains the sizes of the objects and segments in `namedByPeople` that still exist.
 */
export const fitPeople = (
  people: Page<Person, SubjectKey>,
  max: number,
  sizes: ReadonlyMap<SubjectKey, SubjectSize>,
): FittedPeople => {
  const ofState = (state: number) => new Map([...sizes].filter(([, size]) => size.state === state))
  const page = fitPage(people, (person) => objectsOf(person, max), ofState(stateCodes.object))
  return {
    page,
    objects: new Set(page.items.flatMap(({ named }) => named)),
    segments: new Set(ofState(stateCodes.segment).keys()),
  }
}

/** Returns each person with their objects and segments. Leaves out objects and segments that do not exist any more. */
export const personRecordsOf = (
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
    segments: person.segments.filter((key) => segments.has(key)),
  })),
  next,
})
