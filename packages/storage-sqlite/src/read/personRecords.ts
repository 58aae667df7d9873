import type { Page, PersonRecord } from "@inlet/core/catalog/Catalog"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { DataObject } from "@inlet/core/state/DataObject"
import type { Person } from "@inlet/core/state/Person"
import type { Slices } from "@inlet/core/Slices"
import type { Subject } from "@inlet/core/state/Subject"
import { Schema } from "effect"
import { stateCodes } from "@inlet/storage/codes"
import type { Database } from "../engine/Database.ts"
import { fitPage } from "@inlet/storage/pageBudget"
import { readSizes, sizesInSlices, subjectsInSlices } from "./subjectSizes.ts"
import { readSubjects } from "./subjects.ts"

/**
 * Adds to each person their segments and at most `max` of their objects, in two statements. Leaves out deleted objects
 * and segments. Ends the page when its size limit is reached.
 */
export type PersonRecords = (
  workspace: WorkspaceId,
  page: Page<Person, SubjectKey>,
  max: number,
) => Slices<Page<PersonRecord, SubjectKey>>

const decodeObject = Schema.decodeUnknownSync(DataObject)

const objectIn = (subject: Subject) => (subject._tag === "DataObject" ? decodeObject(subject) : undefined)

export const personRecords = (database: Database): PersonRecords => {
  const sizesOf = readSizes(database)
  const subjectsOf = readSubjects(database)
  return function* (workspace, page, max) {
    const objectsOf = ({ relationships }: Person) => [...relationships.keys()].slice(0, max)
    const keys = new Set(page.items.flatMap((person) => [...objectsOf(person), ...person.segments]))
    const sizes = yield* sizesInSlices(sizesOf, workspace, keys)
    const ofState = (state: number) => new Map([...sizes].filter(([, size]) => size.state === state))
    const segments = ofState(stateCodes.segment)
    const { items, next } = fitPage(page, objectsOf, ofState(stateCodes.object))
    const named = new Set(items.flatMap((item) => item.named))
    const objects = yield* subjectsInSlices(subjectsOf, workspace, named, sizes, objectIn)
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
  }
}
