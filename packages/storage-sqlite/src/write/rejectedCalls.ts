import { erasedCalls, rejectedCharactersMax } from "@inlet/core/log/RejectedCall"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { BatchRows } from "@inlet/storage/batchRows"
import { searchedCallFromRow } from "@inlet/storage/rejectedCallRows"
import { raiseCounter, readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"

/**
 * Saves what is kept of the rejected calls of a batch, and forgets the oldest if there are too many. Erases the calls
 * that contain an identifier of a person whom the batch deleted, so that no reader sees them after the commit.
 */
export const rejectedCallWriter = (
  database: Database,
): ((workspace: WorkspaceId, rows: Pick<BatchRows, "rejectedCalls" | "erasedIdentifiers">) => void) => {
  const insert = database.prepare(
    "INSERT INTO rejected_calls (workspace, sequence, received, characters, doc) VALUES (?, ?, ?, ?, ?)",
  )
  const limit = database.prepare(`
    DELETE FROM rejected_calls WHERE workspace = ? AND sequence <= (
      SELECT max(sequence) FROM (
        SELECT sequence, sum(characters) OVER (ORDER BY sequence DESC) AS total FROM rejected_calls WHERE workspace = ?
      ) WHERE total > ${rejectedCharactersMax}
    )`)
  const all = database.prepare("SELECT sequence, doc FROM rejected_calls WHERE workspace = ?")
  const remove = database.prepare("DELETE FROM rejected_calls WHERE workspace = ? AND sequence = ?")
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  return (workspace, { erasedIdentifiers, rejectedCalls }) => {
    if (erasedIdentifiers.size > 0) {
      const erased = erasedCalls(all.all(workspace).map(searchedCallFromRow), erasedIdentifiers)
      for (const sequence of erased) remove.run(workspace, sequence)
      if (erased.length > 0) raise("erasures", counters().erasures + 1)
    }
    for (const row of rejectedCalls) insert.run(workspace, ...row)
    if (rejectedCalls.length > 0) limit.run(workspace, workspace)
  }
}
