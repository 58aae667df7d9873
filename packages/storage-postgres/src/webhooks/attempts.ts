import type { PageRequest } from "@inlet/core/values/Page"
import { attemptsKeptMax, type WebhookKey } from "@inlet/core/ports/WebhookStore"
import {
  firstTriesKept,
  isFirstTry,
  type Attempt,
  type AttemptKey,
  type AttemptStatus,
} from "@inlet/core/webhook/Attempt"
import type { EventPosition } from "@inlet/core/webhook/EventPosition"
import { integer } from "@inlet/storage/columns"
import { attemptColumns, attemptRow, attemptStatusCodes } from "@inlet/storage/webhookRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int2s, int8s, texts, type Parameter } from "../engine/parameters.ts"
import { chunksOf } from "../write/chunks.ts"
import type { AttemptCounters } from "./progress.ts"
import { keyParameters, ofWebhook } from "./webhookKey.ts"

const columns = attemptColumns.join(", ")

const insertSql = `
  INSERT INTO webhook_attempts (workspace, webhook, ${columns})
  SELECT $1, $2, * FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::smallint[], $8::bigint[], $9::text[])`

const trimSql = `
  DELETE FROM webhook_attempts WHERE ${ofWebhook} AND key <= $3`

const trimFirstTriesSql = `
  DELETE FROM webhook_attempts WHERE ${ofWebhook} AND first_try IS NOT NULL AND first_try <= $3`

/**
 * Adds attempts to the history of a webhook, and removes the oldest attempts that exceed the limits of the history.
 * Returns the new counters, which are the counters in `before` plus the added attempts.
 */
export const insertAttempts = (
  connection: Connection,
  key: WebhookKey,
  attempts: ReadonlyArray<Attempt>,
  before: AttemptCounters,
): Effect.Effect<AttemptCounters, DatabaseError> =>
  Effect.gen(function* () {
    let counters = before
    const rows = attempts.map((attempt) => {
      counters = {
        attempts: counters.attempts + 1,
        firstTries: counters.firstTries + (isFirstTry(attempt) ? 1 : 0),
      }
      return attemptRow(attempt, counters.attempts, counters.firstTries)
    })
    if (rows.length === 0) return counters
    for (const chunk of chunksOf(rows, (row) => row[6].length)) {
      yield* connection.execute(insertSql, [...keyParameters(key), ...arraysOf(chunk)])
    }
    yield* connection.execute(trimFirstTriesSql, [
      ...keyParameters(key),
      counters.firstTries - firstTriesKept,
    ])
    yield* connection.execute(trimSql, [...keyParameters(key), counters.attempts - attemptsKeptMax])
    return counters
  })

const arraysOf = (rows: ReadonlyArray<ReturnType<typeof attemptRow>>): ReadonlyArray<Parameter> => [
  int8s(rows.map((row) => row[0])),
  int8s(rows.map((row) => row[1])),
  int8s(rows.map((row) => row[2])),
  int8s(rows.map((row) => row[3])),
  int2s(rows.map((row) => row[4])),
  int8s(rows.map((row) => row[5])),
  texts(rows.map((row) => row[6])),
]

const select = `SELECT ${columns} FROM webhook_attempts WHERE ${ofWebhook}`

export const attemptSql = `${select} AND key = $3`

/**
 * Returns the statement that reads a page of attempts. The statement reads one more row than the page holds, to find
 * out whether there is a next page.
 */
export const attemptsStatement = (
  key: WebhookKey,
  status: AttemptStatus | null,
  { after, limit, order }: PageRequest<AttemptKey>,
): [sql: string, parameters: ReadonlyArray<Parameter>] => {
  const [compare, direction] = order === "asc" ? [">", "ASC"] : ["<", "DESC"]
  const ofStatus = status === null ? "" : " AND status = $5"
  const from = after ?? (order === "asc" ? 0 : Number.MAX_SAFE_INTEGER)
  return [
    `${select} AND key ${compare} $3${ofStatus} ORDER BY key ${direction} LIMIT $4`,
    [...keyParameters(key), from, limit + 1, ...(status === null ? [] : [attemptStatusCodes[status]])],
  ]
}

/** Returns the number of the latest attempt of an event, or 0. */
export const latestNumber = (
  connection: Connection,
  key: WebhookKey,
  position: EventPosition,
): Effect.Effect<number, DatabaseError> =>
  Effect.map(
    connection.query(
      `SELECT coalesce(max(number), 0) AS number FROM webhook_attempts WHERE ${ofWebhook} AND position = $3`,
      [...keyParameters(key), position],
    ),
    ([row]) => integer(row?.["number"]),
  )
