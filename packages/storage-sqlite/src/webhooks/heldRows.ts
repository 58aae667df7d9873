import type { HeldChange, SendAgain, WebhookKey } from "@inlet/core/ports/WebhookStore"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import type { EventPosition } from "@inlet/core/webhook/EventPosition"
import { sentAgain, type HeldEvent } from "@inlet/core/webhook/HeldEvent"
import { retriedForMs } from "@inlet/core/webhook/retryWait"
import { heldColumns, heldFromRow, heldRow, heldStateCodes } from "@inlet/storage/webhookRows"
import type { Database } from "../engine/Database.ts"

/** Access to the table `webhook_held`, which contains the events that were not delivered at the first attempt. */
export interface HeldRows {
  retrying(key: WebhookKey, limit: number): ReadonlyArray<HeldEvent>
  apply(key: WebhookKey, change: HeldChange): void
  /**
   * Gives up an undelivered event of a webhook. Returns the event as it was before, or undefined if the webhook is not
   * retrying it.
   */
  skip(key: WebhookKey, position: EventPosition, now: EpochMillis): HeldEvent | undefined
  /**
   * Makes the webhook send an event again now. `attempts` is the number of attempts of the event so far. This number is
   * used only if the webhook no longer retries the event.
   */
  sendAgain(key: WebhookKey, event: SendAgain, attempts: number): void
  recover(key: WebhookKey, since: EpochMillis, now: EpochMillis): number
}

export const heldRows = (database: Database): HeldRows => {
  const { retrying, skipped } = heldStateCodes
  const ofWebhook = "workspace = ? AND webhook = ?"
  const columns = heldColumns.join(", ")
  const values = `?, ?, ${heldColumns.map(() => "?").join(", ")}`
  const assignments = heldColumns.map((column) => `${column} = excluded.${column}`).join(", ")
  const put = `
    INSERT INTO webhook_held (workspace, webhook, ${columns}) VALUES (${values})
    ON CONFLICT (workspace, webhook, position) DO UPDATE SET ${assignments}
  `
  const page = database.prepare(
    `SELECT ${columns} FROM webhook_held WHERE ${ofWebhook} AND state = ${retrying} ORDER BY in_order DESC, position LIMIT ?`,
  )
  const one = database.prepare(`SELECT ${columns} FROM webhook_held WHERE ${ofWebhook} AND position = ?`)
  const replace = database.prepare(put)
  const hold = database.prepare(`${put} WHERE webhook_held.state <> ${skipped}`)
  const drop = database.prepare(`DELETE FROM webhook_held WHERE ${ofWebhook} AND position = ?`)
  const recover = database.prepare(`
    UPDATE webhook_held SET state = ${retrying}, next_at = ?, expires_at = ?, in_order = 0, held_at = ?
    WHERE ${ofWebhook} AND state <> ${retrying} AND received_at >= ?
  `)
  const makeDue = database.prepare(
    `UPDATE webhook_held SET next_at = ? WHERE ${ofWebhook} AND state = ${retrying} AND received_at >= ?`,
  )
  const find = ({ webhookId, workspace }: WebhookKey, position: EventPosition): HeldEvent | undefined => {
    const row = one.get(workspace, webhookId, position)
    return row === undefined ? undefined : heldFromRow(row)
  }
  const store = ({ webhookId, workspace }: WebhookKey, event: HeldEvent): void =>
    void replace.run(workspace, webhookId, ...heldRow(event))
  return {
    retrying: ({ webhookId, workspace }, limit) => page.all(workspace, webhookId, limit).map(heldFromRow),
    apply: ({ webhookId, workspace }, change) => {
      switch (change._tag) {
        case "Hold":
          return void hold.run(workspace, webhookId, ...heldRow(change.event))
        case "Drop":
          return void drop.run(workspace, webhookId, change.position)
      }
    },
    skip: (key, position, now) => {
      const event = find(key, position)
      if (event?.state !== "retrying") return undefined
      store(key, { ...event, state: "skipped", heldAt: now })
      return event
    },
    sendAgain: (key, { attempt: { position }, now, receivedAt }, attempts) => {
      const event = find(key, position)
      if (event?.state === "retrying") return store(key, { ...event, nextAt: now })
      store(key, sentAgain({ position, receivedAt, attempts, subject: event?.subject ?? null }, now))
    },
    recover: ({ webhookId, workspace }, since, now) =>
      Number(makeDue.run(now, workspace, webhookId, since).changes) +
      Number(recover.run(now, now + retriedForMs, now, workspace, webhookId, since).changes),
  }
}
