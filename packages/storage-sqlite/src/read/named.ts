import type { NamedSubjects } from "@inlet/core/catalog/NamedSubjects"
import { SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import { integer } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { lookupTexts, needsTypes, wantedSubjects, type WantedSubjects } from "@inlet/storage/namedSubjects"
import { toStored } from "@inlet/storage/storedText"
import type { Database } from "../engine/Database.ts"
import { readObjectTypes } from "./objectTypes.ts"
import { readSubjects } from "./subjects.ts"

/**
 * Returns a function that finds the entries about the subjects that a filter names. It returns null if the log must be
 * read instead.
 */
export const readNamed = (
  database: Database,
): ((workspace: WorkspaceId, named: NamedSubjects) => WantedSubjects | null) => {
  const byText = database.prepareByPlace("SELECT subject FROM identifiers WHERE workspace = ? AND text = ?")
  const subjectsOf = readSubjects(database)
  const typesOf = readObjectTypes(database)
  return (workspace, named) => {
    const texts = lookupTexts(named, needsTypes(named) ? typesOf(workspace) : [])
    if (texts === undefined) return null
    const keys = new Set<SubjectKey>(named.keys)
    for (const one of texts) {
      const row = byText.get(workspace, toStored(one))
      if (row !== undefined) keys.add(subjectKey(integer(row[0])))
    }
    return wantedSubjects(named, subjectsOf(workspace, keys))
  }
}
