import type { WebhookKey, WebhookRecord } from "@inlethq/core/ports/WebhookStore"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { skippedAttempt, type Attempt } from "@inlethq/core/webhook/Attempt"
import { Effect } from "effect"
import type { Statements } from "../Tables.ts"
import { insertAttempts } from "./attempts.ts"
import { applyHeld, skipHeld } from "./held.ts"
import { lockWebhook, saveProgress } from "./progress.ts"

/**
 * One or more records of attempts to deliver events to webhooks of one workspace. For `recordWebhook`, all records are
 * of one webhook.
 */
type Records = readonly [WebhookRecord, ...ReadonlyArray<WebhookRecord>]

/**
 * Saves webhook records of one workspace. Locks the webhooks in the order of their ids, so that concurrent transactions
 * cannot deadlock.
 */
export const recordAll = <E>(ask: Statements<E>, records: Records): Effect.Effect<void, E> =>
  Effect.forEach(
    grouped(records, ({ webhookId }) => webhookId).toSorted(([a], [b]) =>
      a.webhookId < b.webhookId ? -1 : 1,
    ),
    (own) => recordWebhook(ask, own),
    { discard: true },
  )

/** Saves the records of one webhook. Saves nothing if the webhook does not exist. */
const recordWebhook = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  records: Records,
): Effect.fn.Return<void, E> {
  const [key] = records
  const counters = yield* lockWebhook(ask, key)
  if (counters === undefined) return
  for (const { held } of records) if (held !== null) yield* applyHeld(ask, key, held)
  const attempts = records.flatMap(({ attempt }) => (attempt === null ? [] : [attempt]))
  const latest = records.at(-1)?.progress ?? key.progress
  yield* saveProgress(ask, key, latest, yield* insertAttempts(ask, key, attempts, counters))
})

/**
 * Gives up an event that a webhook still retries, and records an attempt with the status `skipped`. Returns false if
 * the webhook does not retry the event.
 */
export const skipEvent = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  key: WebhookKey,
  attempt: Attempt,
  now: EpochMillis,
): Effect.fn.Return<boolean, E> {
  const counters = yield* lockWebhook(ask, key)
  const event = yield* skipHeld(ask, key, attempt.position, now)
  if (event === undefined) return false
  if (counters === undefined) return true
  const skipped = [skippedAttempt(attempt, event.attempts + 1, now)]
  yield* saveProgress(ask, key, null, yield* insertAttempts(ask, key, skipped, counters))
  return true
})

/** Groups webhook records by workspace. */
export const byWorkspace = (records: ReadonlyArray<WebhookRecord>): ReadonlyArray<Records> =>
  grouped(records, ({ workspace }) => workspace)

const grouped = (
  records: ReadonlyArray<WebhookRecord>,
  of: (record: WebhookRecord) => unknown,
): ReadonlyArray<Records> => {
  const groups = new Map<unknown, [WebhookRecord, ...Array<WebhookRecord>]>()
  for (const record of records) {
    const own = groups.get(of(record))
    if (own === undefined) groups.set(of(record), [record])
    else own.push(record)
  }
  return [...groups.values()]
}
