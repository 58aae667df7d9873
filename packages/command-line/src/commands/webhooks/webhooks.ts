import { WebhookCursor } from "@inlethq/contract/values/Cursor"
import type { WebhookDocument } from "@inlethq/contract/webhooks/Webhooks"
import { WebhookKind } from "@inlethq/core/webhook/Webhook"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { optionalFlag, pageFlags } from "../../flags/flags.ts"
import { drawIssuedWebhook, drawWebhook } from "../../output/webhookPage.ts"
import { confirmFlag } from "../shared/confirm.ts"
import { expectChange } from "../shared/expectChange.ts"
import { command, confirming, listing, raw, showing, type Resource } from "../shared/resource.ts"
import { attempts, recover, resend, skip, test } from "./webhookAttempts.ts"
import { settingFlags, settingsFrom, webhookArgument } from "./webhookFlags.ts"

const webhooks: Resource<WebhookDocument> = {
  group: "webhooks",
  about: "Manage webhooks and their attempts",
  columns: [
    { heading: "WEBHOOK_ID", text: ({ webhook_id }) => webhook_id },
    { heading: "NAME", text: ({ name }) => name, style: () => "bold", shrinks: true },
    { heading: "KIND", text: ({ kind }) => kind },
    {
      heading: "STATE",
      text: ({ enabled }) => (enabled ? "enabled" : "disabled"),
      style: ({ enabled }) => (enabled ? "green" : "yellow"),
    },
    { heading: "URL", text: ({ url }) => url, shrinks: true },
  ],
  empty: "No webhooks",
  examples: {
    create: {
      "inlet webhooks create --to https://shop.example/hook --kind reporting": "Every report about messages",
      "inlet webhooks create --to https://shop.example/hook --events email_opened,customer_unsubscribed":
        "Two kinds of reports",
      "inlet webhooks create --to https://shop.example/log --kind activity --filter 'kind:event' --ordering per_person":
        "Every event of the activity log",
      "inlet webhooks create --to https://shop.example/drift --kind types --events new_name,widened_type,silent":
        "When events change what they look like",
      "inlet webhooks create --to https://shop.example/pager --kind alerts --events error_rate,lag":
        "When many calls are refused, or something lags",
    },
    list: { "inlet webhooks list": "Newest first" },
    get: { "inlet webhooks get 5d0c2b7f9a4e1836ce0b": "Does not show the signing secret" },
    update: {
      "inlet webhooks update 5d0c2b7f9a4e1836ce0b --no-enabled": "Stop sending",
      "inlet webhooks update 5d0c2b7f9a4e1836ce0b --to https://shop.example/hook2":
        "Send events to another address",
    },
    delete: { "inlet webhooks delete 5d0c2b7f9a4e1836ce0b --yes": "Delete without a question" },
    "rotate-secret": {
      "inlet webhooks rotate-secret 5d0c2b7f9a4e1836ce0b": "The old secret stays valid for a day",
      "inlet webhooks rotate-secret 5d0c2b7f9a4e1836ce0b --overlap-seconds 0":
        "The old secret is invalid at once",
    },
  },
}

const secretNote = "Save the signing secret now. It is not shown again."

const create = command(
  webhooks,
  "create",
  "Create a webhook and print its signing secret once",
  {
    kind: Flag.Literals("kind", WebhookKind.literals).pipe(
      Flag.withDescription(
        "Send reports about messages, entries of the activity log, changes of what events look like, or alerts",
      ),
      Flag.withDefault("reporting"),
    ),
    to: Flag.String("to").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription("The address that receives the events"),
    ),
    ...settingFlags,
  },
  showing(
    ({ client, w }, { kind, to, ...given }) =>
      client.webhooks.create({
        params: { w },
        payload: { ...settingsFrom(given), url: to, kind },
        ...raw,
      }),
    drawIssuedWebhook,
    secretNote,
  ),
)

const list = command(
  webhooks,
  "list",
  "List webhooks",
  pageFlags(WebhookCursor),
  listing(webhooks, ({ client, w }, query) => client.webhooks.list({ params: { w }, query, ...raw })),
)

const get = command(
  webhooks,
  "get",
  "Show the settings of a webhook and the event that blocks it",
  { webhook: webhookArgument },
  showing(
    ({ client, w }, { webhook }) => client.webhooks.get({ params: { w, webhook_id: webhook }, ...raw }),
    drawWebhook,
  ),
)

const update = command(
  webhooks,
  "update",
  "Change the given settings of a webhook; other settings stay",
  {
    webhook: webhookArgument,
    to: Flag.String("to").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription("A new address to send events to"),
      Flag.optional,
    ),
    ...settingFlags,
  },
  showing(({ client, w }, { to, webhook, ...given }) => {
    const settings = settingsFrom(given)
    const payload = Option.isSome(to) ? { ...settings, url: to.value } : settings
    const params = { w, webhook_id: webhook }
    return Effect.andThen(
      expectChange(payload, "webhooks update"),
      client.webhooks.update({ params, payload, ...raw }),
    )
  }, drawWebhook),
)

const remove = command(
  webhooks,
  "delete",
  "Delete a webhook and its attempts",
  { webhook: webhookArgument, ...confirmFlag },
  confirming(
    ({ webhook }) => `Delete webhook ${webhook} and its attempts?`,
    ({ client, w }, { webhook }) => client.webhooks.delete({ params: { w, webhook_id: webhook } }),
    ({ webhook }) => `deleted ${webhook}`,
  ),
)

const rotateSecret = command(
  webhooks,
  "rotate-secret",
  "Replace the signing secret of a webhook and print the new secret once",
  {
    webhook: webhookArgument,
    overlap: optionalFlag(
      Flag.Int("overlap-seconds"),
      "How long the old secret stays valid (default: one day)",
    ),
  },
  showing(
    ({ client, w }, { overlap, webhook }) =>
      client.webhooks.rotateSecret({
        params: { w, webhook_id: webhook },
        payload: Option.isSome(overlap) ? { overlap_seconds: overlap.value } : {},
        ...raw,
      }),
    drawIssuedWebhook,
    secretNote,
  ),
)

export const webhooksCommand = Command.make(webhooks.group).pipe(
  Command.withDescription(webhooks.about),
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
