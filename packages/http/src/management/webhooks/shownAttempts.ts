import type { Catalog } from "@inlet/core/catalog/Catalog"
import type { RecordedAttempt } from "@inlet/core/webhook/Attempt"
import { sequenceAt } from "@inlet/core/webhook/EventPosition"
import type { Webhook } from "@inlet/core/webhook/Webhook"
import { Effect } from "effect"

/** Hides the answers of receivers to requests about deleted people. Housekeeping erases these answers later (contract §6). */
export const shownAttempts = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  { workspace }: Webhook,
  attempts: ReadonlyArray<RecordedAttempt>,
) {
  const answered = attempts.filter(({ responseExcerpt }) => responseExcerpt !== null)
  if (answered.length === 0) return attempts
  const sequences = new Set(answered.flatMap(({ position }) => sequenceAt(position) ?? []))
  const erased = yield* catalog.erasedAmong(workspace, [...sequences])
  return attempts.map((attempt) => {
    const sequence = sequenceAt(attempt.position)
    return sequence !== null && erased.has(sequence) ? { ...attempt, responseExcerpt: null } : attempt
  })
})
