import type { Slices } from "@inlethq/core/Slices"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { integer, text } from "@inlethq/storage/columns/columns"
import { BatchContexts, type KnownContexts } from "@inlethq/storage/rows/contextRows"
import type { Database } from "../engine/Database.ts"

/** Returns the function that numbers the descriptions of a batch. Asks the database only if the batch has unknown ones. */
export const contextNumbers = (
  database: Database,
  known: KnownContexts,
): ((state: WorkingSet) => Slices<BatchContexts>) => {
  const find = database.prepare(
    "SELECT found.digest AS digest, found.number AS number FROM json_each(?) AS wanted CROSS JOIN contexts AS found ON found.workspace = ? AND found.digest = wanted.value",
  )
  const last = database.prepare("SELECT max(number) AS last FROM contexts WHERE workspace = ?")
  return function* (state) {
    const { workspace, written } = state
    const contexts = yield* BatchContexts.of(written.entries, state, known)
    if (contexts.unknown.size === 0) return contexts
    const rows = find.all(JSON.stringify([...contexts.unknown.keys()]), workspace)
    const found = rows.map(({ digest, number }) => ({ digest: text(digest), number: integer(number) }))
    const total = last.get(workspace)?.["last"] ?? 0
    known.remember(state, contexts.number(found, integer(total)))
    return contexts
  }
}
