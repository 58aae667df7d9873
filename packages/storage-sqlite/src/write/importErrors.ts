import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { raiseCounter, readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"

/** Forgets what the errors of imports say about people whom a batch deleted, so that no reader sees it after the commit. */
export const importErrorForgetter = (
  database: Database,
): ((workspace: WorkspaceId, digests: ReadonlySet<string>) => void) => {
  const forget = database.prepare(`
    DELETE FROM import_errors WHERE workspace = ?1 AND (job, number) IN (
      SELECT job, number FROM json_each(?2) AS erased CROSS JOIN import_error_names
      WHERE workspace = ?1 AND digest = erased.value
    )`)
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  return (workspace, digests) => {
    if (digests.size === 0) return
    const { changes } = forget.run(workspace, JSON.stringify([...digests]))
    if (changes > 0) raise("erasures", counters().erasures + 1)
  }
}
