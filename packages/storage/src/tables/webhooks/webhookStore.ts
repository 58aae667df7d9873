import { TooManyWebhooks, webhooksPerWorkspaceMax, type WebhookStore } from "@inlethq/core/ports/WebhookStore"
import { EventPosition } from "@inlethq/core/webhook/EventPosition"
import type { Webhook } from "@inlethq/core/webhook/Webhook"
import { Effect, Option } from "effect"
import { integer, type Row } from "../../columns/columns.ts"
import { lockWorkspace, orChangedMeanwhile } from "../settingsChanges.ts"
import type { Statements, Tables } from "../Tables.ts"
import { attemptSql, attemptsStatement, latestNumber, newestAtSql } from "./attempts.ts"
import { recoverHeld, retryingSql, sendHeldAgain } from "./held.ts"
import { createProgress, keyValues, lockWebhook, ofWebhook, removeProgress } from "./progress.ts"
import { byWorkspace, recordAll, skipEvent } from "./recordAttempts.ts"
import { attemptFromRow, heldFromRow, progressFromRow, webhookFromRow, webhookText } from "./webhookRows.ts"

const first = <A>([row]: ReadonlyArray<Row>, decode: (row: Row) => A): Option.Option<A> =>
  Option.map(Option.fromUndefinedOr(row), decode)

type Parts<Name extends keyof WebhookStore["Service"]> = Pick<WebhookStore["Service"], Name>

/**
 * Makes the store of webhooks. Each write is one transaction in one workspace, under the lock of the webhook. Each
 * database prunes in its own way.
 */
export const makeWebhookStore = (
  tables: Tables,
  prune: WebhookStore["Service"]["prune"],
): WebhookStore["Service"] => ({
  ...settingsParts(tables),
  ...eventParts(tables),
  prune,
})

const settingsParts = ({
  read,
  write,
}: Tables): Parts<"all" | "webhooks" | "webhook" | "create" | "update" | "remove"> => ({
  all: Effect.map(read("read webhooks", "SELECT doc FROM webhooks ORDER BY workspace, created, id"), (rows) =>
    rows.map(webhookFromRow),
  ),
  webhooks: (workspace) =>
    Effect.map(
      read("read webhooks", "SELECT doc FROM webhooks WHERE workspace = $1 ORDER BY created, id", workspace),
      (rows) => rows.map(webhookFromRow),
    ),
  webhook: (key) =>
    Effect.map(read("read a webhook", oneSql, ...keyValues(key)), (rows) => first(rows, webhookFromRow)),
  create: (webhook, position) =>
    Effect.flatMap(
      write("create a webhook", webhook.workspace, (ask) => create(ask, webhook, position)),
      (isCreated) => (isCreated ? Effect.void : Effect.fail(new TooManyWebhooks())),
    ),
  update: (before, after) =>
    Effect.flatMap(
      write("update a webhook", before.workspace, (ask) => update(ask, before, after)),
      orChangedMeanwhile,
    ),
  remove: (key) =>
    write("remove a webhook", key.workspace, (ask) =>
      Effect.andThen(
        removeProgress(ask, key),
        Effect.map(
          ask.run("DELETE FROM webhooks WHERE workspace = $1 AND id = $2", ...keyValues(key)),
          (removed) => removed > 0,
        ),
      ),
    ),
})

/** Returns false if the workspace has too many webhooks. The lock lets nobody else add one in between. */
const create = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  webhook: Webhook,
  position: EventPosition,
): Effect.fn.Return<boolean, E> {
  yield* lockWorkspace(ask, webhook.workspace)
  const [row] = yield* ask.rows(countSql, webhook.workspace)
  if (integer(row?.["webhooks"]) >= webhooksPerWorkspaceMax) return false
  yield* createProgress(ask, webhook, position)
  yield* ask.run(createSql, ...keyValues(webhook), webhook.createdAt, webhookText(webhook))
  return true
})

/** Returns false, and changes nothing, if the settings are not what they were before. */
const update = Effect.fnUntraced(function* <E>(
  ask: Statements<E>,
  before: Webhook,
  after: Webhook,
): Effect.fn.Return<boolean, E> {
  const [row] = yield* ask.rows(`${oneSql} ${ask.forUpdate}`, ...keyValues(before))
  if (row === undefined || webhookFromRow(row).updatedAt !== before.updatedAt) return false
  return (yield* ask.run(updateSql, ...keyValues(before), webhookText(after))) > 0
})

const oneSql = "SELECT doc FROM webhooks WHERE workspace = $1 AND id = $2"

const countSql = "SELECT count(*) AS webhooks FROM webhooks WHERE workspace = $1"

const createSql = "INSERT INTO webhooks (workspace, id, created, doc) VALUES ($1, $2, $3, $4)"

const updateSql = "UPDATE webhooks SET doc = $3 WHERE workspace = $1 AND id = $2"

const progressSql = `SELECT position, ahead FROM webhook_progress WHERE ${ofWebhook} AND NOT removed`

const eventParts = ({
  read,
  write,
  writeUnsynced,
}: Tables): Parts<
  "progress" | "held" | "record" | "attempts" | "attempt" | "newestAt" | "skip" | "sendAgain" | "recover"
> => ({
  progress: (key) =>
    Effect.map(read("read a webhook", progressSql, ...keyValues(key)), (rows) =>
      Option.getOrElse(first(rows, progressFromRow), () => ({ position: EventPosition.make(0), ahead: [] })),
    ),
  held: (key, limit) =>
    Effect.map(read("read the events of a webhook", retryingSql, ...keyValues(key), limit), (rows) =>
      rows.map(heldFromRow),
    ),
  record: (records) =>
    Effect.forEach(
      byWorkspace(records),
      (own) => writeUnsynced("record attempts", own[0].workspace, (ask) => recordAll(ask, own)),
      { discard: true },
    ),
  attempts: (key, status, page) =>
    Effect.map(read("read attempts", ...attemptsStatement(key, status, page)), (rows) => {
      const items = rows.slice(0, page.limit).map(attemptFromRow)
      return { items, next: rows.length > page.limit ? (items.at(-1)?.key ?? null) : null }
    }),
  attempt: (key, one) =>
    Effect.map(read("read an attempt", attemptSql, ...keyValues(key), one), (rows) =>
      first(rows, attemptFromRow),
    ),
  newestAt: (key, position) =>
    Effect.map(read("read an attempt", newestAtSql, ...keyValues(key), position), (rows) =>
      first(rows, attemptFromRow),
    ),
  skip: (key, attempt, now) =>
    write("skip an event", key.workspace, (ask) => skipEvent(ask, key, attempt, now)),
  sendAgain: (key, event) =>
    write("send an event again", key.workspace, (ask) =>
      Effect.gen(function* () {
        yield* lockWebhook(ask, key)
        const made = yield* latestNumber(ask, key, event.attempt.position)
        yield* sendHeldAgain(ask, key, event, Math.max(event.attempt.number, made))
      }),
    ),
  recover: (key, since, now) =>
    write("recover events", key.workspace, (ask) =>
      Effect.andThen(lockWebhook(ask, key), recoverHeld(ask, key, since, now)),
    ),
})
