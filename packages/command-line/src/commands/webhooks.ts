import { WebhookCursor } from "@inlet/api/management/Cursor"
import type { WebhookDocument } from "@inlet/api/management/Webhooks"
import { WebhookKind } from "@inlet/core/webhook/Webhook"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { optionalFlag, pageFlags } from "../flags.ts"
import type { Column } from "../output/table.ts"
import { printNote } from "../output/note.ts"
import { drawIssuedWebhook, drawWebhook } from "../output/webhookPage.ts"
import { Connection } from "../server/Connection.ts"
import { onServer } from "../server/onServer.ts"
import { show } from "../server/show.ts"
import { showList } from "../server/showList.ts"
import { confirmFlag, orNotConfirmed } from "./confirm.ts"
import { expectChange } from "./expectChange.ts"
import { attempts, recover, resend, skip, test } from "./webhookAttempts.ts"
import { clientFor, settingFlags, settingsFrom, webhookArgument } from "./webhookFlags.ts"

const create = Command.make(
  "create",
  {
    kind: Flag.Literals("kind", WebhookKind.literals).pipe(
      Flag.withDescription("Send reports about messages, or entries of the activity log"),
      Flag.withDefault("reporting"),
    ),
    to: Flag.String("to").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription("The address that receives the events"),
    ),
    ...settingFlags,
  },
  Effect.fnUntraced(function* ({ kind, to, ...given }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const payload = { ...settingsFrom(given), url: to, kind }
    yield* show(
      client.webhooks.create({ params: { w: workspace }, payload, responseMode: "decoded-and-response" }),
      drawIssuedWebhook,
    )
    yield* printNote("Save the signing secret now. It is not shown again.")
  }, onServer),
).pipe(
  Command.withDescription("Create a webhook and print its signing secret once"),
  Command.withExamples([
    {
      command: "inlet webhooks create --to https://shop.example/hook --kind reporting",
      description: "Every report about messages",
    },
    {
      command:
        "inlet webhooks create --to https://shop.example/hook --events email_opened,customer_unsubscribed",
      description: "Two kinds of reports",
    },
    {
      command:
        "inlet webhooks create --to https://shop.example/log --kind activity --filter 'kind:event' --ordering per_person",
      description: "Every event of the activity log",
    },
  ]),
)

const columns: ReadonlyArray<Column<WebhookDocument>> = [
  { heading: "WEBHOOK_ID", text: ({ webhook_id }) => webhook_id },
  { heading: "NAME", text: ({ name }) => name, style: () => "bold", shrinks: true },
  { heading: "KIND", text: ({ kind }) => kind },
  {
    heading: "STATE",
    text: ({ enabled }) => (enabled ? "enabled" : "disabled"),
    style: ({ enabled }) => (enabled ? "green" : "yellow"),
  },
  { heading: "URL", text: ({ url }) => url, shrinks: true },
]

const list = Command.make(
  "list",
  pageFlags(WebhookCursor),
  Effect.fnUntraced(function* (page) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    yield* showList(
      page,
      (query) =>
        client.webhooks.list({ params: { w: workspace }, query, responseMode: "decoded-and-response" }),
      columns,
      "No webhooks",
    )
  }, onServer),
).pipe(
  Command.withDescription("List webhooks"),
  Command.withExamples([{ command: "inlet webhooks list", description: "Newest first" }]),
)

const get = Command.make(
  "get",
  { webhook: webhookArgument },
  Effect.fnUntraced(function* ({ webhook }) {
    const { client, params } = yield* clientFor(webhook)
    yield* show(client.webhooks.get({ params, responseMode: "decoded-and-response" }), drawWebhook)
  }, onServer),
).pipe(
  Command.withDescription("Show the settings of a webhook and the event that blocks it"),
  Command.withExamples([
    { command: "inlet webhooks get 5d0c2b7f9a4e1836ce0b", description: "Does not show the signing secret" },
  ]),
)

const update = Command.make(
  "update",
  {
    webhook: webhookArgument,
    to: Flag.String("to").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription("A new address to send events to"),
      Flag.optional,
    ),
    ...settingFlags,
  },
  Effect.fnUntraced(function* ({ to, webhook, ...given }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const settings = settingsFrom(given)
    const payload = Option.isSome(to) ? { ...settings, url: to.value } : settings
    yield* expectChange(payload, "webhooks update")
    const params = { w: workspace, webhook_id: webhook }
    yield* show(
      client.webhooks.update({ params, payload, responseMode: "decoded-and-response" }),
      drawWebhook,
    )
  }, onServer),
).pipe(
  Command.withDescription("Change the given settings of a webhook; other settings stay"),
  Command.withExamples([
    { command: "inlet webhooks update 5d0c2b7f9a4e1836ce0b --no-enabled", description: "Stop sending" },
    {
      command: "inlet webhooks update 5d0c2b7f9a4e1836ce0b --to https://shop.example/hook2",
      description: "Send events to another address",
    },
  ]),
)

const remove = Command.make(
  "delete",
  { webhook: webhookArgument, ...confirmFlag },
  Effect.fnUntraced(function* ({ webhook, yes }) {
    const { client, params } = yield* clientFor(webhook)
    yield* orNotConfirmed(yes, `Delete webhook ${webhook} and its attempts?`)
    yield* client.webhooks.delete({ params })
    yield* printNote(`deleted ${webhook}`)
  }, onServer),
).pipe(
  Command.withDescription("Delete a webhook and its attempts"),
  Command.withExamples([
    { command: "inlet webhooks delete 5d0c2b7f9a4e1836ce0b --yes", description: "Delete without a question" },
  ]),
)

const rotateSecret = Command.make(
  "rotate-secret",
  {
    webhook: webhookArgument,
    overlap: optionalFlag(
      Flag.Int("overlap-seconds"),
      "How long the old secret stays valid (default: one day)",
    ),
  },
  Effect.fnUntraced(function* ({ overlap, webhook }) {
    const { client, params } = yield* clientFor(webhook)
    const payload = Option.isSome(overlap) ? { overlap_seconds: overlap.value } : {}
    yield* show(
      client.webhooks.rotateSecret({ params, payload, responseMode: "decoded-and-response" }),
      drawIssuedWebhook,
    )
    yield* printNote("Save the signing secret now. It is not shown again.")
  }, onServer),
).pipe(
  Command.withDescription("Replace the signing secret of a webhook and print the new secret once"),
  Command.withExamples([
    {
      command: "inlet webhooks rotate-secret 5d0c2b7f9a4e1836ce0b",
      description: "The old secret stays valid for a day",
    },
    {
      command: "inlet webhooks rotate-secret 5d0c2b7f9a4e1836ce0b --overlap-seconds 0",
      description: "The old secret is invalid at once",
    },
  ]),
)

export const webhooksCommand = Command.make("webhooks").pipe(
  Command.withDescription("Manage webhooks and their attempts"),
  Command.withSubcommands([
    create,
    list,
    get,
    update,
    remove,
    rotateSecret,
    test,
    attempts,
    resend,
    skip,
    recover,
  ]),
)
