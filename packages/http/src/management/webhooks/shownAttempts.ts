import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { WebhookKey, WebhookStore } from "@inlethq/core/ports/WebhookStore"
import type { RecordedAttempt } from "@inlethq/core/webhook/Attempt"
import { sequenceAt } from "@inlethq/core/webhook/EventPosition"
import { Effect } from "effect"

interface Stores {
  readonly catalog: Catalog["Service"]
  readonly store: WebhookStore["Service"]
}

/** The largest number of waiting events that are read to say which attempts have a next one. */
const waitingMax = 1_000

/**
 * Returns attempts as they are shown. An attempt is recorded once, with the time of the next attempt at that moment, so
 * this time is left out if the event was settled or attempted since. The answers of receivers to requests about deleted
 * people are hidden until housekeeping erases them (contract §6).
 */
export const shownAttempts = (
  stores: Stores,
  webhook: WebhookKey,
  attempts: ReadonlyArray<RecordedAttempt>,
) =>
  Effect.flatMap(withoutErased(stores, webhook, attempts), (shown) =>
    withNextAttempts(stores, webhook, shown),
  )

const withNextAttempts = Effect.fnUntraced(function* (
  { store }: Stores,
  webhook: WebhookKey,
  attempts: ReadonlyArray<RecordedAttempt>,
) {
  if (attempts.every(({ nextAt }) => nextAt === null)) return attempts
  const waiting = yield* store.held(webhook, waitingMax)
  const byPosition = new Map(waiting.map((event) => [event.position, event]))
  return attempts.map((attempt) => {
    if (attempt.nextAt === null) return attempt
    const event = byPosition.get(attempt.position)
    const isUnknown = event === undefined && waiting.length === waitingMax
    if (isUnknown) return attempt
    return { ...attempt, nextAt: event?.attempts === attempt.number ? event.nextAt : null }
  })
})

const withoutErased = Effect.fnUntraced(function* (
  { catalog }: Stores,
  { workspace }: WebhookKey,
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
