import type { WebhookKey } from "@inlet/core/ports/WebhookStore"
import type { DeliveryProgress } from "@inlet/core/webhook/DeliveryQueue"
import { EventPosition } from "@inlet/core/webhook/EventPosition"
import { integer } from "@inlet/storage/columns"
import { aheadText, progressFromRow } from "@inlet/storage/webhookRows"
import type { Database } from "../engine/Database.ts"

/**
 * Two counters of a webhook: the number of attempts, and the number of events that were delivered at the first attempt.
 */
export interface AttemptCounters {
  readonly attempts: number
  readonly firstTries: number
}

/**
 * Access to the table `webhook_progress`: for each webhook, its position in the log and the number of recorded
 * attempts.
 */
export interface ProgressRows {
  insert(key: WebhookKey, position: EventPosition): void
  of(key: WebhookKey): DeliveryProgress
  /** Returns the counters of a webhook, or undefined if the webhook does not exist. */
  counters(key: WebhookKey): AttemptCounters | undefined
  /** Saves the counters of a webhook, and its progress if `progress` is not null. */
  update(key: WebhookKey, progress: DeliveryProgress | null, counters: AttemptCounters): void
  /** Marks a webhook as removed, so that housekeeping deletes its rows. */
  remove(key: WebhookKey): void
}

export const progressRows = (database: Database): ProgressRows => {
  const ofWebhook = "WHERE workspace = ? AND webhook = ?"
  const one = database.prepare(
    `SELECT position, ahead, attempts, first_tries FROM webhook_progress ${ofWebhook} AND removed = 0`,
  )
  const insert = database.prepare(
    "INSERT INTO webhook_progress (workspace, webhook, position, ahead, attempts, first_tries) VALUES (?, ?, ?, '[]', 0, 0)",
  )
  const update = database.prepare(
    `UPDATE webhook_progress SET position = ?, ahead = ?, attempts = ?, first_tries = ? ${ofWebhook}`,
  )
  const count = database.prepare(`UPDATE webhook_progress SET attempts = ?, first_tries = ? ${ofWebhook}`)
  const remove = database.prepare(`UPDATE webhook_progress SET removed = 1 ${ofWebhook}`)
  return {
    insert: ({ webhookId, workspace }, position) => void insert.run(workspace, webhookId, position),
    of: ({ webhookId, workspace }) => {
      const row = one.get(workspace, webhookId)
      return row === undefined ? { position: EventPosition.make(0), ahead: [] } : progressFromRow(row)
    },
    counters: ({ webhookId, workspace }) => {
      const row = one.get(workspace, webhookId)
      if (row === undefined) return undefined
      return { attempts: integer(row["attempts"]), firstTries: integer(row["first_tries"]) }
    },
    update: ({ webhookId, workspace }, progress, { attempts, firstTries }) => {
      if (progress === null) count.run(attempts, firstTries, workspace, webhookId)
      else update.run(progress.position, aheadText(progress), attempts, firstTries, workspace, webhookId)
    },
    remove: ({ webhookId, workspace }) => void remove.run(workspace, webhookId),
  }
}
