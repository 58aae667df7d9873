import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { text } from "@inlet/storage/columns"
import { lookupTypesMax } from "@inlet/storage/namedSubjects"
import { fromStored } from "@inlet/storage/storedText"
import type { Database } from "../engine/Database.ts"
import { rowIdRange } from "../engine/rowIds.ts"

/** Returns a function that lists the types of a workspace's objects, or undefined if there are too many. */
export const readObjectTypes = (
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
