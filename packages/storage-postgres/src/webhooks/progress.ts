import type { WebhookKey } from "@inlet/core/ports/WebhookStore"
import type { DeliveryProgress } from "@inlet/core/webhook/DeliveryQueue"
import { integer } from "@inlet/storage/columns"
import { aheadText } from "@inlet/storage/webhookRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { keyParameters, ofWebhook } from "./webhookKey.ts"

/**
 * Two counters of a webhook: the number of attempts, and the number of events that were delivered at the first attempt.
 */
export interface AttemptCounters {
  readonly attempts: number
  readonly firstTries: number
}

export const progressSql = `SELECT position, ahead FROM webhook_progress WHERE ${ofWebhook} AND NOT removed`

const lockSql = `SELECT attempts, first_tries FROM webhook_progress WHERE ${ofWebhook} AND NOT removed FOR UPDATE`

/** Locks the records of a webhook until the transaction ends. Returns undefined if the webhook does not exist. */
export const lockWebhook = (
  connection: Connection,
  key: WebhookKey,
): Effect.Effect<AttemptCounters | undefined, DatabaseError> =>
  Effect.map(connection.query(lockSql, keyParameters(key)), ([row]) =>
    row === undefined
      ? undefined
      : { attempts: integer(row["attempts"]), firstTries: integer(row["first_tries"]) },
  )

/** Saves the counters of a webhook, and its progress if `progress` is not null. */
export const saveProgress = (
  connection: Connection,
  key: WebhookKey,
  progress: DeliveryProgress | null,
  { attempts, firstTries }: AttemptCounters,
): Effect.Effect<number, DatabaseError> =>
  connection.execute(
    `UPDATE webhook_progress SET attempts = $3, first_tries = $4, position = coalesce($5, position), ahead = coalesce($6, ahead)
      WHERE ${ofWebhook}`,
    [
      ...keyParameters(key),
      attempts,
      firstTries,
      progress?.position ?? null,
      progress === null ? null : aheadText(progress),
    ],
  )
