import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { attemptRetentionMs } from "@inlethq/core/webhook/Attempt"
import { retriedForMs } from "@inlethq/core/webhook/retryWait"
import { integer, text } from "@inlethq/storage/columns/columns"
import { heldStateCodes } from "@inlethq/storage/tables/webhooks/webhookRows"
import type { Statement } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"

/** The largest number of rows that one step of cleanup removes from each table. */
const rowsMax = 500

/**
 * Removes expired attempts, expired events, names that no forward told in time, and rows of removed webhooks in one bounded step. Returns true if nothing
 * is left to remove.
 */
export const pruneWebhooks = (database: Database): ((now: EpochMillis) => boolean) => {
  const limited = (table: string, columns: string, where: string) =>
    database.prepare(
      `DELETE FROM ${table} WHERE (${columns}) IN (SELECT ${columns} FROM ${table} WHERE ${where} LIMIT ${rowsMax})`,
    )
  const attemptKey = "workspace, webhook, key"
  const heldKey = "workspace, webhook, position"
  const oldAttempts = limited("webhook_attempts", attemptKey, "first_try IS NULL AND at < ?")
  const oldHeld = limited("webhook_held", heldKey, `NOT state = ${heldStateCodes.retrying} AND held_at < ?`)
  const oldNames = limited("forward_names", "workspace, position, forward", "at < ?")
  const removed = database.prepare(
    "SELECT workspace, webhook FROM webhook_progress WHERE removed = 1 LIMIT 1",
  )
  const ofWebhook = "workspace = ? AND webhook = ?"
  const itsAttempts = limited("webhook_attempts", attemptKey, ofWebhook)
  const itsHeld = limited("webhook_held", heldKey, ofWebhook)
  const itsProgress = database.prepare(`DELETE FROM webhook_progress WHERE ${ofWebhook} AND removed = 1`)
  return (now) => {
    const before = now - attemptRetentionMs
    const areNamesPruned = removesAll([oldNames], now - retriedForMs)
    const isPruned = removesAll([oldAttempts, oldHeld], before) && areNamesPruned
    const row = removed.get()
    if (row === undefined) return isPruned
    const [workspace, webhook] = [integer(row["workspace"]), text(row["webhook"])]
    if (removesAll([itsAttempts, itsHeld], workspace, webhook)) itsProgress.run(workspace, webhook)
    return false
  }
}

/**
 * Runs statements that remove at most `rowsMax` rows each. Returns true if every statement removed fewer than `rowsMax`
 * rows, so that no rows are left to remove.
 */
const removesAll = (
  statements: ReadonlyArray<Statement>,
  ...values: ReadonlyArray<number | string>
): boolean =>
  statements
    .map((statement) => Number(statement.run(...values).changes))
    .every((changes) => changes < rowsMax)
