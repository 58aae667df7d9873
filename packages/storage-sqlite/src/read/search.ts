import { foundAmong, type FoundSubject, type SubjectSearch } from "@inlet/core/catalog/SubjectSearch"
import type { Slices } from "@inlet/core/Slices"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { integer } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { afterPrefix } from "@inlet/storage/prefixSearch"
import { sliceDocumentsMax } from "@inlet/storage/Slice"
import { toStored } from "@inlet/storage/storedText"
import { searchTexts } from "@inlet/storage/subjectSearch"
import type { Database } from "../engine/Database.ts"
import { readObjectTypes } from "./objectTypes.ts"
import { readSubjects } from "./subjects.ts"

/** Finds people, objects, deliveries and forms by their lookup texts. */
export const readSearch = (database: Database) => {
  const typesOf = readObjectTypes(database)
  const subjectsOf = readSubjects(database)
  const byText = database.prepareByPlace("SELECT subject FROM identifiers WHERE workspace = ? AND text = ?")
  const byRange = database.prepareByPlace(
    "SELECT subject FROM identifiers WHERE workspace = ? AND text >= ? AND text < ? ORDER BY text LIMIT ?",
  )
  return function* (workspace: WorkspaceId, search: SubjectSearch): Slices<ReadonlyArray<FoundSubject>> {
    const { beginnings, whole } = searchTexts(search, typesOf(workspace) ?? [])
    const keys = new Set<SubjectKey>([search.personKey, search.objectKey].filter((key) => key !== null))
    const add = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) => {
      for (const row of rows) keys.add(subjectKey(integer(row[0])))
    }
    for (const text of whole) add(byText.all(workspace, toStored(text)))
    yield
    // One more row, because the whole identifier begins with itself.
    for (const text of beginnings) {
      const from = toStored(text)
      add(byRange.all(workspace, from, afterPrefix(from), search.limit + 1))
    }
    const candidates = [...keys]
    const found: Array<ReturnType<typeof subjectsOf>[number]> = []
    for (let at = 0; at < candidates.length; at += sliceDocumentsMax) {
      yield
      found.push(...subjectsOf(workspace, candidates.slice(at, at + sliceDocumentsMax)))
    }
    return foundAmong(found, search)
  }
}
