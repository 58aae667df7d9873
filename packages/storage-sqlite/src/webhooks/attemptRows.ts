import type { Page, PageRequest } from "@inlet/core/values/Page"
import { attemptsKeptMax, type WebhookKey } from "@inlet/core/ports/WebhookStore"
import {
  firstTriesKept,
  type Attempt,
  type AttemptKey,
  type AttemptStatus,
  type RecordedAttempt,
} from "@inlet/core/webhook/Attempt"
import type { EventPosition } from "@inlet/core/webhook/EventPosition"
import { integer } from "@inlet/storage/columns"
import { attemptColumns, attemptFromRow, attemptRow, attemptStatusCodes } from "@inlet/storage/webhookRows"
import { Option } from "effect"
import type { Database } from "../engine/Database.ts"
import type { AttemptCounters } from "./progressRows.ts"

/** Access to the table `webhook_attempts`, which has one row for each attempt to deliver an event to a webhook. */
export interface AttemptRows {
  insert(key: WebhookKey, attempt: Attempt, counters: AttemptCounters): void
  /** Removes the oldest attempts of a webhook that exceed the limits of its history. */
  trim(key: WebhookKey, counters: AttemptCounters): void
  page(
    key: WebhookKey,
    status: AttemptStatus | null,
    page: PageRequest<AttemptKey>,
  ): Page<RecordedAttempt, AttemptKey>
  one(key: WebhookKey, attempt: AttemptKey): Option.Option<RecordedAttempt>
  /** Returns the number of the latest attempt of an event, or 0. Reads all attempts of the webhook. */
  latestNumber(key: WebhookKey, position: EventPosition): number
}

export const attemptRows = (database: Database): AttemptRows => {
  const ofWebhook = "workspace = ? AND webhook = ?"
  const columns = attemptColumns.join(", ")
  const insert = database.prepare(
    `INSERT INTO webhook_attempts (workspace, webhook, ${columns}) VALUES (?, ?, ${attemptColumns.map(() => "?").join(", ")})`,
  )
  const trimFirstTries = database.prepare(
    `DELETE FROM webhook_attempts WHERE ${ofWebhook} AND first_try IS NOT NULL AND first_try <= ?`,
  )
  const trimAll = database.prepare(`DELETE FROM webhook_attempts WHERE ${ofWebhook} AND key <= ?`)
  const select = `SELECT ${columns} FROM webhook_attempts WHERE ${ofWebhook}`
  const one = database.prepare(`${select} AND key = ?`)
  const latest = database.prepare(
    `SELECT coalesce(max(number), 0) AS number FROM webhook_attempts WHERE ${ofWebhook} AND position = ?`,
  )
  const pages = {
    asc: database.prepare(`${select} AND key > ? ORDER BY key LIMIT ?`),
    desc: database.prepare(`${select} AND key < ? ORDER BY key DESC LIMIT ?`),
  }
  const pagesOfStatus = {
    asc: database.prepare(`${select} AND key > ? AND status = ? ORDER BY key LIMIT ?`),
    desc: database.prepare(`${select} AND key < ? AND status = ? ORDER BY key DESC LIMIT ?`),
  }
  return {
    insert: ({ webhookId, workspace }, attempt, { attempts, firstTries }) =>
      void insert.run(workspace, webhookId, ...attemptRow(attempt, attempts, firstTries)),
    trim: ({ webhookId, workspace }, { attempts, firstTries }) => {
      trimFirstTries.run(workspace, webhookId, firstTries - firstTriesKept)
      trimAll.run(workspace, webhookId, attempts - attemptsKeptMax)
    },
    page: ({ webhookId, workspace }, status, { after, limit, order }) => {
      const from = after ?? (order === "asc" ? 0 : Number.MAX_SAFE_INTEGER)
      const rows =
        status === null
          ? pages[order].all(workspace, webhookId, from, limit + 1)
          : pagesOfStatus[order].all(workspace, webhookId, from, attemptStatusCodes[status], limit + 1)
      const items = rows.slice(0, limit).map(attemptFromRow)
      return { items, next: rows.length > limit ? (items.at(-1)?.key ?? null) : null }
    },
    one: ({ webhookId, workspace }, attempt) =>
      Option.map(Option.fromUndefinedOr(one.get(workspace, webhookId, attempt)), attemptFromRow),
    latestNumber: ({ webhookId, workspace }, position) =>
      integer(latest.get(workspace, webhookId, position)?.["number"]),
  }
}
