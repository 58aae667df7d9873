import { attemptsKeptMax, type WebhookKey } from "@inlethq/core/ports/WebhookStore"
import type { PageRequest } from "@inlethq/core/values/Page"
import {
  firstTriesKept,
  isFirstTry,
  type Attempt,
  type AttemptKey,
  type AttemptStatus,
} from "@inlethq/core/webhook/Attempt"
import type { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { Effect } from "effect"
import { integer } from "../../columns/columns.ts"
import type { Statements, Value } from "../Tables.ts"
import { keyValues, ofWebhook, type AttemptCounters } from "./progress.ts"
import { attemptColumns, attemptRow, attemptStatusCodes } from "./webhookRows.ts"

const trimSql = `DELETE FROM webhook_attempts WHERE ${ofWebhook} AND key <= $3`

const trimFirstTriesSql = `DELETE FROM webhook_attempts WHERE ${ofWebhook} AND first_try IS NOT NULL AND first_try <= $3`

/**
 * Adds attempts to the history of a webhook, and removes the oldest attempts that exceed the limits of the history.
 * Returns the new counters, which are the counters in `before` plus the added attempts.
 */
export const insertAttempts = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  key: WebhookKey,
  attempts: ReadonlyArray<Attempt>,
  before: AttemptCounters,
): Effect.fn.Return<AttemptCounters, E> {
  if (attempts.length === 0) return before
  let counters = before
  const rows = attempts.map((attempt) => {
    counters = {
      attempts: counters.attempts + 1,
      firstTries: counters.firstTries + (isFirstTry(attempt) ? 1 : 0),
    }
    return [...keyValues(key), ...attemptRow(attempt, counters.attempts, counters.firstTries)]
  })
  yield* ask.insert("webhook_attempts", rows)
  yield* ask.run(trimFirstTriesSql, ...keyValues(key), counters.firstTries - firstTriesKept)
  yield* ask.run(trimSql, ...keyValues(key), counters.attempts - attemptsKeptMax)
  return counters
})

const select = `SELECT ${attemptColumns.join(", ")} FROM webhook_attempts WHERE ${ofWebhook}`

export const attemptSql = `${select} AND key = $3`

export const newestAtSql = `${select} AND position = $3 ORDER BY key DESC LIMIT 1`

/**
 * Returns the statement that reads a page of attempts, and its values. The statement reads one more row than the page
 * holds, to find out whether there is a next page.
 */
export const attemptsStatement = (
  key: WebhookKey,
  status: AttemptStatus | null,
  { after, limit, order }: PageRequest<AttemptKey>,
): readonly [sql: string, ...values: ReadonlyArray<Value>] => {
  const [compare, direction] = order === "asc" ? [">", "ASC"] : ["<", "DESC"]
  const ofStatus = status === null ? "" : " AND status = $5"
  const from = after ?? (order === "asc" ? 0 : Number.MAX_SAFE_INTEGER)
  return [
    `${select} AND key ${compare} $3${ofStatus} ORDER BY key ${direction} LIMIT $4`,
    ...keyValues(key),
    from,
    limit + 1,
    ...(status === null ? [] : [attemptStatusCodes[status]]),
  ]
}

/** Returns the number of the latest attempt of an event, or 0. */
export const latestNumber = <E>(
  ask: Statements<E>,
  key: WebhookKey,
  position: EventPosition,
): Effect.Effect<number, E> =>
  Effect.map(
    ask.rows(
      `SELECT coalesce(max(number), 0) AS number FROM webhook_attempts WHERE ${ofWebhook} AND position = $3`,
      ...keyValues(key),
      position,
    ),
    ([row]) => integer(row?.["number"]),
  )
