import type { NamedSubjects } from "@inlet/core/catalog/NamedSubjects"
import { SubjectKey, type WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer, text } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import {
  lookupTexts,
  lookupTypesMax,
  needsTypes,
  wantedSubjects,
  type WantedSubjects,
} from "@inlet/storage/namedSubjects"
import { fromStored, toStored } from "@inlet/storage/storedText"
import type { Database } from "../engine/Database.ts"
import { rowIdRange } from "../engine/rowIds.ts"
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

/** Returns a function that lists the types of a workspace's objects, or undefined if there are too many. */
const readObjectTypes = (
  database: Database,
): ((workspace: WorkspaceId) => ReadonlyArray<string> | undefined) => {
  // The index has the objects of all workspaces, so a type of another workspace is one more step.
  const next = database.prepareByPlace(
    `SELECT name FROM subjects WHERE state = ${stateCodes.object} AND name > ? ORDER BY name LIMIT 1`,
  )
  const hasType = database.prepareByPlace(
    `SELECT 1 FROM subjects WHERE state = ${stateCodes.object} AND name = ? AND id >= ? AND id < ? LIMIT 1`,
  )
  return (workspace) => {
    const types: Array<string> = []
    const range = rowIdRange(workspace, 1, Infinity)
    let row = next.get("")
    for (let steps = 0; row !== undefined; steps++) {
      if (steps === lookupTypesMax) return undefined
      const type = text(row[0])
      if (hasType.get(type, ...range) !== undefined) types.push(fromStored(type))
      row = next.get(type)
    }
    return types
  }
}
