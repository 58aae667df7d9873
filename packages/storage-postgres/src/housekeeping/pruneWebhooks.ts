import type { WebhookKey } from "@inlethq/core/ports/WebhookStore"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { attemptRetentionMs } from "@inlethq/core/webhook/Attempt"
import { retriedForMs } from "@inlethq/core/webhook/retryWait"
import { integer, text } from "@inlethq/storage/columns/columns"
import { workspaceId } from "@inlethq/storage/columns/ids"
import { fromStored } from "@inlethq/storage/columns/storedText"
import { heldStateCodes } from "@inlethq/storage/tables/webhooks/webhookRows"
import { Effect } from "effect"
import type { Connection, NamedRow } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { askInTurn, inTurn, nextTurn } from "../read/workspacesInTurn.ts"
import { keyValues, ofWebhook } from "@inlethq/storage/tables/webhooks/progress"

/** The largest number of rows that one step of cleanup removes from each table. */
const rowsMax = 500

const isExpired = {
  attempt: "first_try IS NULL AND at <",
  held: `NOT state = ${heldStateCodes.retrying} AND held_at <`,
}

/**
 * The condition for a webhook that was removed or that has rows which expired before `$1`. Housekeeping erases the
 * webhooks of deleted workspaces.
 */
const hasWork = (workspace: string): string => `
  NOT EXISTS (
    SELECT FROM heads WHERE heads.workspace = ${workspace} AND deleted_at IS NOT NULL
  ) AND (removed OR EXISTS (
    SELECT FROM webhook_attempts AS rows
    WHERE rows.workspace = ${workspace} AND rows.webhook = webhooks.webhook AND ${isExpired.attempt} $1
  ) OR EXISTS (
    SELECT FROM webhook_held AS rows
    WHERE rows.workspace = ${workspace} AND rows.webhook = webhooks.webhook AND ${isExpired.held} $1
  ))`

const nextSql = `
  SELECT workspace, webhook, removed FROM webhook_progress AS webhooks WHERE ${hasWork("webhooks.workspace")} LIMIT 1`

const ownersSql = `
  SELECT workspace FROM (SELECT DISTINCT workspace FROM webhook_progress) AS owners ${inTurn}`

const nextOfOneSql = `
  SELECT workspace, webhook, removed FROM webhook_progress AS webhooks
  WHERE webhooks.workspace = $2 AND ${hasWork("$2")} LIMIT 1`

/** What a search for a webhook with rows to remove has found. */
interface FoundWebhook {
  readonly row: NamedRow | undefined
  /** The workspace after which the next search begins. */
  readonly last: number
  /** Whether no webhook is left that was not examined. */
  readonly isDone: boolean
}

const nextWebhook = (database: Database["Service"], before: EpochMillis, last: number) =>
  database.read("remove expired attempts", (connection) =>
    connection.rowForm === "keyed"
      ? nextOneByOne(connection, before, last)
      : Effect.map(connection.query(nextSql, [before]), ([row]): FoundWebhook => ({
          row,
          last,
          isDone: row === undefined,
        })),
  )

const nextOneByOne = (
  connection: Connection,
  before: EpochMillis,
  last: number,
): Effect.Effect<FoundWebhook, DatabaseError> =>
  Effect.gen(function* () {
    const turn = yield* nextTurn(connection, ownersSql, last)
    const row = yield* askInTurn<NamedRow, NamedRow | undefined>(
      turn.workspaces,
      undefined,
      (workspace) => connection.query(nextOfOneSql, [before, workspace]),
      (found, rows) => found ?? rows[0],
      (found) => found !== undefined,
    )
    if (row === undefined) return { row, last: turn.last, isDone: turn.endsRound }
    // The workspace comes first again, because it may have more rows.
    return { row, last: integer(row["workspace"]) - 1, isDone: false }
  })

const limited = (table: string, key: string, where: string) => `
  DELETE FROM ${table} WHERE ${ofWebhook} AND ${key} = ANY (ARRAY(
    SELECT ${key} FROM ${table} WHERE ${ofWebhook} AND ${where} LIMIT ${rowsMax}
  ))`

const limitedAttempts = (where: string) => limited("webhook_attempts", "key", where)
const limitedHeld = (where: string) => limited("webhook_held", "position", where)

/**
 * Returns a function that runs one bounded step of cleanup for one webhook. It removes expired rows of an existing webhook,
 * or remaining rows of a removed webhook, and returns true if no webhook has more rows to remove.
 */
export const makePruneWebhooks = (
  database: Database["Service"],
): ((now: EpochMillis) => Effect.Effect<boolean, StoreUnavailable>) => {
  let last = 0
  return (now) =>
    Effect.gen(function* () {
      const before = now - attemptRetentionMs
      const found = yield* nextWebhook(database, before, last)
      last = found.last
      const { row } = found
      if (row === undefined) return found.isDone && (yield* pruneNames(database, now - retriedForMs))
      const workspace = workspaceId(integer(row["workspace"]))
      const key = { workspace, webhookId: fromStored(text(row["webhook"])) }
      yield* database.write("remove expired attempts", workspace, (connection) =>
        row["removed"] === true ? removeRecords(connection, key) : removeExpired(connection, key, before),
      )
      return false
    })
}

const namesSql = "SELECT workspace FROM forward_names WHERE at < $1 LIMIT 1"

const removeNamesSql = `
  DELETE FROM forward_names WHERE workspace = $1 AND position = ANY (ARRAY(
    SELECT position FROM forward_names WHERE workspace = $1 AND at < $2 LIMIT ${rowsMax}
  ))`

/** Removes names that forwards have not told in time, in one workspace. Returns true if none is left. */
const pruneNames = (
  database: Database["Service"],
  before: EpochMillis,
): Effect.Effect<boolean, StoreUnavailable> =>
  Effect.gen(function* () {
    const [row] = yield* database.query("remove untold names", namesSql, [before])
    if (row === undefined) return true
    const workspace = workspaceId(integer(row["workspace"]))
    yield* database.write("remove untold names", workspace, (connection) =>
      connection.execute(removeNamesSql, [workspace, before]),
    )
    return false
  })

const removeExpired = (
  connection: Connection,
  key: WebhookKey,
  before: EpochMillis,
): Effect.Effect<number, DatabaseError> => {
  const parameters = [...keyValues(key), before]
  return Effect.andThen(
    connection.execute(limitedAttempts(`${isExpired.attempt} $3`), parameters),
    connection.execute(limitedHeld(`${isExpired.held} $3`), parameters),
  )
}

const removeRecords = (connection: Connection, key: WebhookKey): Effect.Effect<number, DatabaseError> =>
  Effect.gen(function* () {
    const parameters = keyValues(key)
    const attempts = yield* connection.execute(limitedAttempts("true"), parameters)
    const held = yield* connection.execute(limitedHeld("true"), parameters)
    if (attempts + held > 0) return attempts + held
    return yield* connection.execute(
      `DELETE FROM webhook_progress WHERE ${ofWebhook} AND removed`,
      parameters,
    )
  })
