import type { PersonRecord } from "@inlet/core/catalog/Catalog"
import type { Page } from "@inlet/core/values/Page"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { Person } from "@inlet/core/state/Person"
import type { Slices } from "@inlet/core/Slices"
import { fitPeople, namedByPeople, objectIn, personRecordsOf } from "@inlet/storage/personRecords"
import type { Database } from "../engine/Database.ts"
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

export const personRecords = (database: Database): PersonRecords => {
  const sizesOf = readSizes(database)
  const subjectsOf = readSubjects(database)
  return function* (workspace, page, max) {
    const sizes = yield* sizesInSlices(sizesOf, workspace, namedByPeople(page.items, max))
    const fitted = fitPeople(page, max, sizes)
    return personRecordsOf(
      fitted,
      yield* subjectsInSlices(subjectsOf, workspace, fitted.objects, sizes, objectIn),
    )
  }
}
