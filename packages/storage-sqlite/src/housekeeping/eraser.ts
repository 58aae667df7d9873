import type { Digest } from "@inlet/core/ports/Digest"
import type { SubjectKey } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer } from "@inlet/storage/columns"
import { afterFirstAddress } from "@inlet/storage/erasurePlan"
import { subjectKey } from "@inlet/storage/ids"
import { erasedDocument, erasedDocumentIn, type ErasedDocument } from "@inlet/storage/subjectRows"
import type { SweepBudget } from "@inlet/storage/sweepBudget"
import { readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { readTimeline, rowsPerLook } from "../log/timeline.ts"
import type { SubjectCache } from "../read/SubjectCache.ts"
import { addressRemover } from "./addressRemover.ts"
import { entryEraser } from "./entryEraser.ts"
import { referenceRemover } from "./referenceRemover.ts"

/**
 * Erases deleted subjects in the order of `erasurePlan.ts`. The documents of very many people may refer to a deleted
 * object or segment. These references are removed only when no other subject is left to erase.
 */
export const eraser = (
  database: Database,
  cache: SubjectCache,
  digest: Digest["Service"],
): ((budget: SweepBudget) => void) => {
  const nextInState = (state: number) =>
    database.prepare(`SELECT key, state, doc FROM subjects WHERE state = ${state} ORDER BY key LIMIT 1`)
  const nextErased = nextInState(stateCodes.erased)
  const nextStillNamed = nextInState(stateCodes.stillNamed)
  const counters = readCounters(database)
  const timeline = readTimeline(database)
  const saveProgress = database.prepare("UPDATE subjects SET doc = ? WHERE key = ?")
  const postpone = database.prepare(
    `UPDATE subjects SET state = ${stateCodes.stillNamed}, doc = ? WHERE key = ?`,
  )
  const removeSubject = database.prepare("DELETE FROM subjects WHERE key = ?")
  const entries = entryEraser(database)
  const references = referenceRemover(database, entries.redact)
  const addressed = addressRemover(database, digest, entries.redact)

  /** Removes the first address of a subject from deliveries, as far as the budget allows. Returns the progress. */
  const eraseAddress = (
    budget: SweepBudget,
    key: SubjectKey,
    erased: ErasedDocument,
    address: string,
  ): ErasedDocument => {
    const { addressedTo = 0, before } = erased
    const { isDone, rows, to } = addressed.some(address, before, addressedTo, budget.rowsLeft)
    budget.rowsLeft -= rows
    if (!isDone) return { ...erased, addressedTo: to }
    addressed.done(key, address)
    return afterFirstAddress(erased)
  }

  return (budget) => {
    while (!budget.isSpent) {
      const row = nextErased.get() ?? nextStillNamed.get()
      if (row === undefined) return
      budget.hasErased = true
      cache.clear()
      budget.rowsLeft -= rowsPerLook(counters())
      const key = subjectKey(integer(row["key"]))
      const erased = erasedDocumentIn(row)
      const { addresses: [address] = [], before, erasedTo = 0 } = erased
      const { room } = budget
      const found = timeline(key, erasedTo, "asc", room)
      const earlier = found.filter((sequence) => sequence < before)
      const count = entries.eraseSome(budget, earlier, key)
      if (count < earlier.length || earlier.length === room) {
        saveProgress.run(erasedDocument({ ...erased, erasedTo: earlier[count - 1] ?? erasedTo }), key)
        continue
      }
      const withoutEntries = { ...erased, erasedTo: before }
      if (integer(row["state"]) === stateCodes.erased && references.isNamedByHolders(key)) {
        postpone.run(erasedDocument(withoutEntries), key)
        continue
      }
      const { isDone, rows } = references.some(key, before, budget.rowsLeft)
      budget.rowsLeft -= rows
      if (!isDone) saveProgress.run(erasedDocument(withoutEntries), key)
      else if (address === undefined) removeSubject.run(key)
      else saveProgress.run(erasedDocument(eraseAddress(budget, key, withoutEntries, address)), key)
    }
  }
}
