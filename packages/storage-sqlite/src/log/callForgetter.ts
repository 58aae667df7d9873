import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { text } from "@inlethq/storage/columns/columns"
import type { Database } from "../engine/Database.ts"
import { rowId } from "../engine/rowIds.ts"
import { removeName } from "./facets.ts"

/** Removes the name that a rejected call gave from its entry and from the index of names. */
export const callForgetter = (database: Database): ((workspace: WorkspaceId, sequence: Sequence) => void) => {
  const nameOf = database.prepareByPlace("SELECT name FROM activity WHERE id = ? AND name IS NOT NULL")
  const clear = database.prepare("UPDATE activity SET name = NULL WHERE id = ?")
  const removeFromFacet = removeName(database)
  return (workspace, sequence) => {
    const id = rowId(workspace, sequence)
    const named = nameOf.get(id)
    if (named === undefined) return
    clear.run(id)
    removeFromFacet(workspace, sequence, text(named[0]))
  }
}
