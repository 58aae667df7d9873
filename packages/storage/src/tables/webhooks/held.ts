import type { HeldChange, SendAgain, WebhookKey } from "@inlethq/core/ports/WebhookStore"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { EventPosition } from "@inlethq/core/webhook/EventPosition"
import { sentAgain, type HeldEvent } from "@inlethq/core/webhook/HeldEvent"
import { retriedForMs } from "@inlethq/core/webhook/retryWait"
import { Effect } from "effect"
import type { Statements } from "../Tables.ts"
import { keyValues, ofWebhook } from "./progress.ts"
import { heldColumns, heldFromRow, heldRow, heldStateCodes } from "./webhookRows.ts"

const { retrying, skipped } = heldStateCodes

const columns = heldColumns.join(", ")

const holdSql = `
  INSERT INTO webhook_held (workspace, webhook, ${columns})
  VALUES ($1, $2, ${heldColumns.map((_, index) => `$${index + 3}`).join(", ")})
  ON CONFLICT (workspace, webhook, position) DO UPDATE SET ${heldColumns.map((column) => `${column} = excluded.${column}`).join(", ")}`

const holdUnlessSkippedSql = `${holdSql} WHERE webhook_held.state <> ${skipped}`

const dropSql = `DELETE FROM webhook_held WHERE ${ofWebhook} AND position = $3`

const findSql = `SELECT ${columns} FROM webhook_held WHERE ${ofWebhook} AND position = $3`

const recoverSql = `
  UPDATE webhook_held SET state = ${retrying}, next_at = $3,
    expires_at = CASE WHEN state = ${retrying} THEN expires_at ELSE $4 END,
    in_order = CASE WHEN state = ${retrying} THEN in_order ELSE 0 END,
    held_at = CASE WHEN state = ${retrying} THEN held_at ELSE $3 END
  WHERE ${ofWebhook} AND received_at >= $5`

/** Selects up to `$3` events that a webhook still has to retry. */
export const retryingSql = `
  SELECT ${columns} FROM webhook_held WHERE ${ofWebhook} AND state = ${retrying} ORDER BY in_order DESC, position LIMIT $3`

/**
 * Applies a change to the stored events of a webhook. An event is stored if its first attempt failed, or if the event
 * must wait for an earlier event.
 */
export const applyHeld = <E>(
  ask: Statements<E>,
  key: WebhookKey,
  change: HeldChange,
): Effect.Effect<number, E> => {
  switch (change._tag) {
    case "Hold":
      return ask.run(holdUnlessSkippedSql, ...keyValues(key), ...heldRow(change.event))
    case "Drop":
      return ask.run(dropSql, ...keyValues(key), change.position)
  }
}

/**
 * Gives up an undelivered event of a webhook. Returns the event as it was before, or undefined if the webhook is not
 * retrying it.
 */
export const skipHeld = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  key: WebhookKey,
  position: EventPosition,
  now: EpochMillis,
): Effect.fn.Return<HeldEvent | undefined, E> {
  const event = yield* findHeld(ask, key, position)
  if (event?.state !== "retrying") return undefined
  yield* hold(ask, key, { ...event, state: "skipped", heldAt: now })
  return event
})

/**
 * Makes the webhook send an event again now. `attempts` is the number of attempts of the event so far. This number is
 * used only if the webhook no longer retries the event.
 */
export const sendHeldAgain = <E>(
  ask: Statements<E>,
  key: WebhookKey,
  { attempt: { position }, now, receivedAt }: SendAgain,
  attempts: number,
): Effect.Effect<number, E> =>
  Effect.flatMap(findHeld(ask, key, position), (event) =>
    hold(
      ask,
      key,
      event?.state === "retrying"
        ? { ...event, nextAt: now }
        : sentAgain({ position, receivedAt, attempts, subject: event?.subject ?? null }, now),
    ),
  )

/** Makes the webhook send again all undelivered events that were received at `since` or later. Returns their number. */
export const recoverHeld = <E>(
  ask: Statements<E>,
  key: WebhookKey,
  since: EpochMillis,
  now: EpochMillis,
): Effect.Effect<number, E> => ask.run(recoverSql, ...keyValues(key), now, now + retriedForMs, since)

const findHeld = <E>(
  ask: Statements<E>,
  key: WebhookKey,
  position: EventPosition,
): Effect.Effect<HeldEvent | undefined, E> =>
  Effect.map(ask.rows(findSql, ...keyValues(key), position), ([row]) =>
    row === undefined ? undefined : heldFromRow(row),
  )

const hold = <E>(ask: Statements<E>, key: WebhookKey, event: HeldEvent): Effect.Effect<number, E> =>
  ask.run(holdSql, ...keyValues(key), ...heldRow(event))
