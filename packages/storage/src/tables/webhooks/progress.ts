import type { WebhookKey } from "@inlethq/core/ports/WebhookStore"
import type { DeliveryProgress } from "@inlethq/core/webhook/DeliveryQueue"
import type { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { Effect } from "effect"
import { integer } from "../../columns/columns.ts"
import { toStored } from "../../columns/storedText.ts"
import type { Statements } from "../Tables.ts"
import { aheadText } from "./webhookRows.ts"

/** The SQL condition for the rows of one webhook. `keyValues` returns its values. */
export const ofWebhook = "workspace = $1 AND webhook = $2"

/** Returns the first two values of a statement about a webhook: its workspace and its id. */
export const keyValues = ({ webhookId, workspace }: WebhookKey): readonly [number, string] => [
  workspace,
  toStored(webhookId),
]

/**
 * Two counters of a webhook: the number of attempts, and the number of events that were delivered at the first attempt.
 */
export interface AttemptCounters {
  readonly attempts: number
  readonly firstTries: number
}

/** Locks the records of a webhook until the transaction ends. Returns undefined if the webhook does not exist. */
export const lockWebhook = <E>(
  ask: Statements<E>,
  key: WebhookKey,
): Effect.Effect<AttemptCounters | undefined, E> =>
  Effect.map(
    ask.rows(
      `SELECT attempts, first_tries FROM webhook_progress WHERE ${ofWebhook} AND NOT removed ${ask.forUpdate}`,
      ...keyValues(key),
    ),
    ([row]) =>
      row === undefined
        ? undefined
        : { attempts: integer(row["attempts"]), firstTries: integer(row["first_tries"]) },
  )

const saveSql = `
  UPDATE webhook_progress SET attempts = $3, first_tries = $4, position = coalesce($5, position), ahead = coalesce($6, ahead)
  WHERE ${ofWebhook}`

/** Saves the counters of a webhook, and its progress if `progress` is not null. */
export const saveProgress = <E>(
  ask: Statements<E>,
  key: WebhookKey,
  progress: DeliveryProgress | null,
  { attempts, firstTries }: AttemptCounters,
): Effect.Effect<number, E> =>
  ask.run(
    saveSql,
    ...keyValues(key),
    attempts,
    firstTries,
    progress?.position ?? null,
    progress === null ? null : aheadText(progress),
  )

const createSql = `
  INSERT INTO webhook_progress (workspace, webhook, position, ahead, attempts, first_tries) VALUES ($1, $2, $3, '[]', 0, 0)`

/** Lets a webhook or a forward begin after a position. */
export const createProgress = <E>(
  ask: Statements<E>,
  key: WebhookKey,
  position: EventPosition,
): Effect.Effect<number, E> => ask.run(createSql, ...keyValues(key), position)

/** Marks what is stored of a webhook or a forward as removed, so that `prune` removes it in bounded steps. */
export const removeProgress = <E>(ask: Statements<E>, key: WebhookKey): Effect.Effect<number, E> =>
  ask.run(`UPDATE webhook_progress SET removed = TRUE WHERE ${ofWebhook}`, ...keyValues(key))
