import type { PersonRecord } from "@inlet/core/catalog/Catalog"
import type { Page } from "@inlet/core/values/Page"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Person } from "@inlet/core/state/Person"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { fitPeople, namedByPeople, objectIn, personRecordsOf } from "@inlet/storage/personRecords"
import { Effect } from "effect"
import type { Read } from "./Read.ts"
import { sizesInSlices, subjectsInSlices } from "./subjectSizes.ts"

/**
 * Adds to each person their segments and at most `max` of their objects. Leaves out deleted objects and segments. Ends
 * the page when its size limit is reached.
 */
export const personRecords = (
  read: Read,
  workspace: WorkspaceId,
  page: Page<Person, SubjectKey>,
  max: number,
): Effect.Effect<Page<PersonRecord, SubjectKey>, StoreUnavailable> =>
  Effect.gen(function* () {
    const sizes = yield* sizesInSlices(read, workspace, namedByPeople(page.items, max))
    const fitted = fitPeople(page, max, sizes)
    return personRecordsOf(fitted, yield* subjectsInSlices(read, workspace, fitted.objects, sizes, objectIn))
  })
