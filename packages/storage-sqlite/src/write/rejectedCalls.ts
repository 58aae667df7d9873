import { erasedCalls, rejectedCharactersMax } from "@inlethq/core/log/RejectedCall"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { BatchRows } from "@inlethq/storage/rows/batchRows"
import { sequenceIn } from "@inlethq/storage/rows/entryRows"
import { searchedCallFromRow, sqlEmptied, sqlHoldsCall } from "@inlethq/storage/rows/rejectedCallRows"
import { raiseCounter, readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { callForgetter } from "../log/callForgetter.ts"

type CallRows = Pick<BatchRows, "rejectedCalls" | "erasedIdentifiers">

/**
 * Saves what is kept of the rejected calls of a batch, and forgets the oldest if there are too many. Erases the calls
 * that contain an identifier of a person whom the batch deleted, so that no reader sees them after the commit. Must run
 * after the entries of the batch are saved.
 */
export const rejectedCallWriter = (
  database: Database,
): ((workspace: WorkspaceId, rows: CallRows) => void) => {
  const insert = database.prepare(
    "INSERT INTO rejected_calls (workspace, sequence, received, characters, doc) VALUES (?, ?, ?, ?, ?)",
  )
  const surplus = database.prepare(`
    SELECT sequence FROM (
      SELECT sequence, sum(characters) OVER (ORDER BY sequence DESC) AS total FROM rejected_calls WHERE workspace = ? AND ${sqlHoldsCall}
    ) WHERE total > ${rejectedCharactersMax}`)
  const all = database.prepare(
    `SELECT sequence, doc FROM rejected_calls WHERE workspace = ? AND ${sqlHoldsCall}`,
  )
  const empty = database.prepare(
    `UPDATE rejected_calls SET ${sqlEmptied} WHERE workspace = ? AND sequence = ?`,
  )
  const remove = database.prepare("DELETE FROM rejected_calls WHERE workspace = ? AND sequence = ?")
  const forget = callForgetter(database)
  const headOf = readHead(database)
  const counters = readCounters(database)
  const raise = raiseCounter(database)

  const erase = (workspace: WorkspaceId, erasedIdentifiers: CallRows["erasedIdentifiers"]): void => {
    const erased = erasedCalls(all.all(workspace).map(searchedCallFromRow), erasedIdentifiers)
    for (const sequence of erased) {
      empty.run(workspace, sequence)
      forget(workspace, sequence)
    }
    if (erased.length > 0) raise("erasures", counters().erasures + 1)
  }

  // An entry that pruning has passed is kept only for its call, so its row stays for housekeeping to remove both.
  const makeRoom = (workspace: WorkspaceId, sequences: ReadonlyArray<Sequence>): void => {
    if (sequences.length === 0) return
    const { prunedTo } = headOf(workspace)
    for (const sequence of sequences) {
      if (sequence > prunedTo) remove.run(workspace, sequence)
      else empty.run(workspace, sequence)
      forget(workspace, sequence)
    }
  }

  return (workspace, { erasedIdentifiers, rejectedCalls }) => {
    if (erasedIdentifiers.size > 0) erase(workspace, erasedIdentifiers)
    if (rejectedCalls.length === 0) return
    for (const { characters, doc, received, sequence } of rejectedCalls) {
      insert.run(workspace, sequence, received, characters, doc)
    }
    makeRoom(workspace, surplus.all(workspace).map(sequenceIn))
  }
}
