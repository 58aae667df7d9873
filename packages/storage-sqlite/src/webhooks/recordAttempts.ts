import type { WebhookKey, WebhookRecord } from "@inlet/core/ports/WebhookStore"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { isFirstTry, skippedAttempt, type Attempt } from "@inlet/core/webhook/Attempt"
import type { AttemptRows } from "./attemptRows.ts"
import type { HeldRows } from "./heldRows.ts"
import type { AttemptCounters, ProgressRows } from "./progressRows.ts"

/** Writes records of attempts to deliver events to webhooks. All calls must run in a transaction. */
export interface RecordAttempts {
  (records: ReadonlyArray<WebhookRecord>): void
  /**
   * Records that an operator skipped an event. `attempt` is an earlier attempt of the event. `number` is the number of
   * the new record.
   */
  skipped(key: WebhookKey, attempt: Attempt, number: number, now: EpochMillis): void
}

export const recordAttempts = (
  progress: ProgressRows,
  held: HeldRows,
  attempts: AttemptRows,
): RecordAttempts => {
  const insert = (key: WebhookKey, attempt: Attempt, before: AttemptCounters): AttemptCounters => {
    const counters = {
      attempts: before.attempts + 1,
      firstTries: before.firstTries + (isFirstTry(attempt) ? 1 : 0),
    }
    attempts.insert(key, attempt, counters)
    return counters
  }

  const recordWebhook = (records: readonly [WebhookRecord, ...ReadonlyArray<WebhookRecord>]): void => {
    const [first] = records
    let counters = progress.counters(first)
    if (counters === undefined) return
    let latest = first
    for (const record of records) {
      if (record.held !== null) held.apply(record, record.held)
      if (record.attempt !== null) counters = insert(record, record.attempt, counters)
      latest = record
    }
    attempts.trim(first, counters)
    progress.update(first, latest.progress, counters)
  }

  const record = (records: ReadonlyArray<WebhookRecord>): void => {
    const byWebhook = new Map<string, [WebhookRecord, ...Array<WebhookRecord>]>()
    for (const one of records) {
      const name = `${one.workspace}:${one.webhookId}`
      const own = byWebhook.get(name)
      if (own === undefined) byWebhook.set(name, [one])
      else own.push(one)
    }
    for (const own of byWebhook.values()) recordWebhook(own)
  }

  const skipped = (key: WebhookKey, attempt: Attempt, number: number, now: EpochMillis): void => {
    const counters = progress.counters(key)
    if (counters === undefined) return
    progress.update(key, null, insert(key, skippedAttempt(attempt, number, now), counters))
  }

  return Object.assign(record, { skipped })
}
