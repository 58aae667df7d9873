import { foundAmong, type FoundSubject, type SubjectSearch } from "@inlet/core/catalog/SubjectSearch"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Subject } from "@inlet/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { Effect } from "effect"
import { lookupTypesMax } from "../namedSubjects.ts"
import { sliceDocumentsMax } from "../ReadBudget.ts"
import { searchTexts } from "../subjectSearch.ts"
import type { Read } from "./ReadQueries.ts"

/** Finds people, objects, deliveries and forms by their lookup texts. */
export const readSearch = Effect.fnUntraced(function* (
  read: Read,
  workspace: WorkspaceId,
  search: SubjectSearch,
): Effect.fn.Return<ReadonlyArray<FoundSubject>, StoreUnavailable> {
  const types = yield* read((ask) => ask.objectTypes(workspace, lookupTypesMax))
  const texts = searchTexts(search, types ?? [])
  // One more key for each beginning, because the whole identifier begins with itself.
  const found = yield* read((ask) => ask.keysOf(workspace, texts, search.limit + 1))
  const keys = new Set<SubjectKey>(found)
  for (const key of [search.personKey, search.objectKey]) if (key !== null) keys.add(key)
  const candidates = [...keys]
  const subjects: Array<Subject> = []
  for (let at = 0; at < candidates.length; at += sliceDocumentsMax) {
    const part = new Set(candidates.slice(at, at + sliceDocumentsMax))
    subjects.push(...(yield* read((ask) => ask.subjects(workspace, part))))
  }
  return foundAmong(subjects, search)
})
