import type { WebhookKey, WebhookStore } from "@inlet/core/ports/WebhookStore"
import { EventPosition } from "@inlet/core/webhook/EventPosition"
import type { Row } from "@inlet/storage/columns"
import {
  attemptFromRow,
  heldFromRow,
  progressFromRow,
  webhookFromRow,
  webhookText,
} from "@inlet/storage/webhookRows"
import { Effect, Option } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { attemptSql, attemptsStatement, latestNumber } from "./attempts.ts"
import { recoverHeld, retryingSql, sendHeldAgain } from "./held.ts"
import { lockWebhook, progressSql } from "./progress.ts"
import { pruneWebhooks } from "./prune.ts"
import { byWorkspace, recordAll, skipEvent } from "./recordAttempts.ts"
import { keyParameters, ofWebhook } from "./webhookKey.ts"

const first = <A>([row]: ReadonlyArray<Row>, decode: (row: Row) => A): Option.Option<A> =>
  Option.map(Option.fromUndefinedOr(row), decode)

type Parts<Name extends keyof WebhookStore["Service"]> = Pick<WebhookStore["Service"], Name>

/** Makes the store of webhooks. Each write is one transaction in one workspace, under the lock of the webhook. */
export const makeWebhookStore = (database: Database["Service"]): WebhookStore["Service"] => ({
  ...settingsParts(database),
  ...eventParts(database),
})

const writer =
  (database: Database["Service"]) =>
  <A>(
    operation: string,
    key: WebhookKey,
    body: (connection: Connection) => Effect.Effect<A, DatabaseError>,
  ) =>
    database.write(operation, key.workspace, body)

const settingsParts = (
  database: Database["Service"],
): Parts<"all" | "webhooks" | "webhook" | "create" | "update" | "remove"> => {
  const { query } = database
  const write = writer(database)
  return {
    all: Effect.map(
      query("read webhooks", "SELECT doc FROM webhooks ORDER BY workspace, created, id"),
      (rows) => rows.map(webhookFromRow),
    ),
    webhooks: (workspace) =>
      Effect.map(
        query("read webhooks", "SELECT doc FROM webhooks WHERE workspace = $1 ORDER BY created, id", [
          workspace,
        ]),
        (rows) => rows.map(webhookFromRow),
      ),
    webhook: (key) =>
      Effect.map(
        query(
          "read a webhook",
          "SELECT doc FROM webhooks WHERE workspace = $1 AND id = $2",
          keyParameters(key),
        ),
        (rows) => first(rows, webhookFromRow),
      ),
    create: (webhook, position) =>
      Effect.asVoid(
        write("create a webhook", webhook, (connection) =>
          connection.execute(createSql, [
            ...keyParameters(webhook),
            webhook.createdAt,
            webhookText(webhook),
            position,
          ]),
        ),
      ),
    update: (webhook) =>
      write("update a webhook", webhook, (connection) =>
        Effect.map(
          connection.execute("UPDATE webhooks SET doc = $3 WHERE workspace = $1 AND id = $2", [
            ...keyParameters(webhook),
            webhookText(webhook),
          ]),
          (changed) => changed > 0,
        ),
      ),
    remove: (key) =>
      write("remove a webhook", key, (connection) =>
        Effect.map(connection.execute(removeSql, keyParameters(key)), (removed) => removed > 0),
      ),
  }
}

const eventParts = (
  database: Database["Service"],
): Parts<
  "progress" | "held" | "record" | "attempts" | "attempt" | "skip" | "sendAgain" | "recover" | "prune"
> => {
  const { query } = database
  const write = writer(database)
  return {
    progress: (key) =>
      Effect.map(query("read a webhook", progressSql, keyParameters(key)), (rows) =>
        Option.getOrElse(first(rows, progressFromRow), () => ({
          position: EventPosition.make(0),
          ahead: [],
        })),
      ),
    held: (key, limit) =>
      Effect.map(query("read the events of a webhook", retryingSql, [...keyParameters(key), limit]), (rows) =>
        rows.map(heldFromRow),
      ),
    record: (records) =>
      Effect.forEach(
        byWorkspace(records),
        ([one, ...others]) =>
          write("record attempts", one, (connection) => recordAll(connection, [one, ...others])),
        { discard: true },
      ),
    attempts: (key, status, page) =>
      Effect.map(query("read attempts", ...attemptsStatement(key, status, page)), (rows) => {
        const items = rows.slice(0, page.limit).map(attemptFromRow)
        return { items, next: rows.length > page.limit ? (items.at(-1)?.key ?? null) : null }
      }),
    attempt: (key, one) =>
      Effect.map(query("read an attempt", attemptSql, [...keyParameters(key), one]), (rows) =>
        first(rows, attemptFromRow),
      ),
    skip: (key, attempt, now) =>
      write("skip an event", key, (connection) => skipEvent(connection, key, attempt, now)),
    sendAgain: (key, event) =>
      write("send an event again", key, (connection) =>
        Effect.gen(function* () {
          yield* lockWebhook(connection, key)
          const made = yield* latestNumber(connection, key, event.attempt.position)
          yield* sendHeldAgain(connection, key, event, Math.max(event.attempt.number, made))
        }),
      ),
    recover: (key, since, now) =>
      write("recover events", key, (connection) =>
        Effect.andThen(lockWebhook(connection, key), recoverHeld(connection, key, since, now)),
      ),
    prune: (now) => pruneWebhooks(database, now),
  }
}

const createSql = `
  WITH progress AS (
    INSERT INTO webhook_progress (workspace, webhook, position, ahead, attempts, first_tries) VALUES ($1, $2, $5, '[]', 0, 0)
  )
  INSERT INTO webhooks (workspace, id, created, doc) VALUES ($1, $2, $3, $4)`

const removeSql = `
  WITH marked AS (UPDATE webhook_progress SET removed = true WHERE ${ofWebhook})
  DELETE FROM webhooks WHERE workspace = $1 AND id = $2`
