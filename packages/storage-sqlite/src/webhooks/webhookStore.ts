import type { WebhookKey, WebhookStore } from "@inlet/core/ports/WebhookStore"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { Webhook } from "@inlet/core/webhook/Webhook"
import { webhookFromRow, webhookText } from "@inlet/storage/webhookRows"
import { Option } from "effect"
import type { Database } from "../engine/Database.ts"
import { attemptRows } from "./attemptRows.ts"
import { heldRows } from "./heldRows.ts"
import { progressRows } from "./progressRows.ts"
import { pruneWebhooks } from "./pruneWebhooks.ts"
import { recordAttempts } from "./recordAttempts.ts"

/** Makes the store of webhooks. Each write is one short transaction. */
export const makeWebhookStore = (database: Database): WebhookStore["Service"] => {
  const { durability } = database
  const webhooks = settingsRows(database)
  const reads = {
    webhooks: settingsRows(database.reads),
    progress: progressRows(database.reads),
    held: heldRows(database.reads),
    attempts: attemptRows(database.reads),
  }
  const progress = progressRows(database)
  const held = heldRows(database)
  const attempts = attemptRows(database)
  const record = recordAttempts(progress, held, attempts)
  const prune = pruneWebhooks(database)
  const write = <A>(operation: string, body: () => A) =>
    durability.write(operation, () => database.write(body))
  return {
    all: durability.read("read webhooks", () => reads.webhooks.all()),
    webhooks: (workspace) => durability.read("read webhooks", () => reads.webhooks.of(workspace)),
    webhook: (key) => durability.read("read a webhook", () => reads.webhooks.one(key)),
    create: (webhook, position) =>
      write("create a webhook", () => {
        webhooks.insert(webhook)
        progress.insert(webhook, position)
      }),
    update: (webhook) => write("update a webhook", () => webhooks.update(webhook)),
    remove: (key) =>
      write("remove a webhook", () => {
        progress.remove(key)
        return webhooks.remove(key)
      }),
    progress: (key) => durability.read("read a webhook", () => reads.progress.of(key)),
    held: (key, limit) =>
      durability.read("read the events of a webhook", () => reads.held.retrying(key, limit)),
    record: (records) =>
      durability.inTurn(
        durability.attempt("record attempts", () => database.writeUnsynced(() => record(records))),
      ),
    attempts: (key, status, page) =>
      durability.read("read attempts", () => reads.attempts.page(key, status, page)),
    attempt: (key, one) => durability.read("read an attempt", () => reads.attempts.one(key, one)),
    skip: (key, one, now) =>
      write("skip an event", () => {
        const event = held.skip(key, one.position, now)
        if (event !== undefined) record.skipped(key, one, event.attempts + 1, now)
        return event !== undefined
      }),
    sendAgain: (key, event) =>
      write("send an event again", () => {
        const made = attempts.latestNumber(key, event.attempt.position)
        held.sendAgain(key, event, Math.max(event.attempt.number, made))
      }),
    recover: (key, since, now) => write("recover events", () => held.recover(key, since, now)),
    prune: (now) => write("remove expired attempts", () => prune(now)),
  }
}

/** Access to the table `webhooks`, which contains the settings of webhooks. */
const settingsRows = (database: Database) => {
  const all = database.prepare("SELECT doc FROM webhooks ORDER BY workspace, created, id")
  const of = database.prepare("SELECT doc FROM webhooks WHERE workspace = ? ORDER BY created, id")
  const one = database.prepare("SELECT doc FROM webhooks WHERE workspace = ? AND id = ?")
  const insert = database.prepare("INSERT INTO webhooks (workspace, id, created, doc) VALUES (?, ?, ?, ?)")
  const update = database.prepare("UPDATE webhooks SET doc = ? WHERE workspace = ? AND id = ?")
  const remove = database.prepare("DELETE FROM webhooks WHERE workspace = ? AND id = ?")
  return {
    all: () => all.all().map(webhookFromRow),
    of: (workspace: WorkspaceId) => of.all(workspace).map(webhookFromRow),
    one: ({ webhookId, workspace }: WebhookKey) =>
      Option.map(Option.fromUndefinedOr(one.get(workspace, webhookId)), webhookFromRow),
    insert: (webhook: Webhook) =>
      void insert.run(webhook.workspace, webhook.webhookId, webhook.createdAt, webhookText(webhook)),
    update: (webhook: Webhook) =>
      Number(update.run(webhookText(webhook), webhook.workspace, webhook.webhookId).changes) > 0,
    remove: ({ webhookId, workspace }: WebhookKey) => Number(remove.run(workspace, webhookId).changes) > 0,
  }
}
