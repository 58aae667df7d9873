import type { Page, PersonRecord } from "@inlet/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { DataObject } from "@inlet/core/state/DataObject"
import type { Person } from "@inlet/core/state/Person"
import type { Subject } from "@inlet/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { fitPage } from "@inlet/storage/pageBudget"
import { Effect, Schema } from "effect"
import type { Read } from "./Read.ts"
import { sizesInSlices, subjectsInSlices } from "./subjectSizes.ts"

const decodeObject = Schema.decodeUnknownSync(DataObject)

const objectIn = (subject: Subject) => (subject._tag === "DataObject" ? decodeObject(subject) : undefined)

/**
 * Adds to each person their segments and at most `max` of their objects. Leaves out deleted objects and segments. Ends
 * the page when its size limit is reached.
 */
export const personRecords = (
  read: Read,
  workspace: WorkspaceId,
  page: Page<Person, SubjectKey>,
  max: number,
): Effect.Effect<Page<PersonRecord, SubjectKey>, StoreUnavailable> => {
  const objectsOf = ({ relationships }: Person) => [...relationships.keys()].slice(0, max)
  return Effect.gen(function* () {
    const keys = new Set(page.items.flatMap((person) => [...objectsOf(person), ...person.segments]))
    const sizes = yield* sizesInSlices(read, workspace, keys)
    const ofState = (state: number) => new Map([...sizes].filter(([, size]) => size.state === state))
    const segments = ofState(stateCodes.segment)
    const { items, next } = fitPage(page, objectsOf, ofState(stateCodes.object))
    const named = new Set(items.flatMap((item) => item.named))
    const objects = yield* subjectsInSlices(read, workspace, named, sizes, objectIn)
    const records = items.map(({ item: person, named }) => ({
      person,
      relationships: named.flatMap((key) => {
        const object = objects.get(key)
        const attributes = person.relationships.get(key)
        return object === undefined || attributes === undefined ? [] : [{ object, attributes }]
      }),
      segments: person.segments.filter((key) => segments.has(key)),
    }))
    return { items: records, next }
  })
}
