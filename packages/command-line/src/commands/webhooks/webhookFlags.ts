import { RetrySchedule, WebhookOrdering } from "@inlethq/core/webhook/Webhook"
import type { WebhookPatch } from "@inlethq/contract/webhooks/Webhooks"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { optionalFlag } from "../../flags/flags.ts"
import { Connection } from "../../server/Connection.ts"

/** The argument that selects a webhook by its id. */
export const webhookArgument = Argument.String("webhook_id").pipe(
  Argument.withDescription("The id that `inlet webhooks list` shows"),
)

/** Returns the client of the management API, and the path parameters of requests about a webhook. */
export const clientFor = Effect.fnUntraced(function* (webhook: string) {
  const { workspace } = yield* Connection
  return { client: yield* ManagementClient, params: { w: workspace, webhook_id: webhook } }
})

/** The flags that set a webhook's settings, for creating and for updating a webhook. */
export const settingFlags = {
  name: optionalFlag(Flag.String("name"), "A name for operators"),
  events: Flag.String("events").pipe(
    Flag.withMetavar("names"),
    Flag.withDescription(
      "Names of reporting events, or of changes such as new_name, with commas between them, or * for all",
    ),
    Flag.map((names) => names.split(",")),
    Flag.optional,
  ),
  filter: optionalFlag(
    Flag.String("filter"),
    "The entries that an activity webhook sends, see docs/filters.md",
  ),
  ordering: optionalFlag(
    Flag.Literals("ordering", WebhookOrdering.literals),
    "The order in which events are sent",
  ),
  retry: optionalFlag(Flag.Literals("retry", RetrySchedule.literals), "The waits between attempts"),
  firstOnly: optionalFlag(
    Flag.Boolean("first-only"),
    "Send only the first report of a metric of each delivery",
  ),
  bodyContent: optionalFlag(
    Flag.Boolean("body-content"),
    "Include the preferences in events about subscription preferences",
  ),
  enabled: optionalFlag(
    Flag.Boolean("enabled"),
    "Send events; a disabled webhook keeps its position in the log",
  ),
}

interface Given {
  readonly name: Option.Option<string>
  readonly events: Option.Option<ReadonlyArray<string>>
  readonly filter: Option.Option<string>
  readonly ordering: Option.Option<WebhookOrdering>
  readonly retry: Option.Option<RetrySchedule>
  readonly firstOnly: Option.Option<boolean>
  readonly bodyContent: Option.Option<boolean>
  readonly enabled: Option.Option<boolean>
}

/** Returns the webhook settings that the command line sets. Settings without a flag are left out. */
export const settingsFrom = (given: Given): Omit<WebhookPatch, "url"> => ({
  ...(Option.isSome(given.name) ? { name: given.name.value } : {}),
  ...(Option.isSome(given.events) ? { events: given.events.value } : {}),
  ...(Option.isSome(given.filter) ? { filter: given.filter.value } : {}),
  ...(Option.isSome(given.ordering) ? { ordering: given.ordering.value } : {}),
  ...(Option.isSome(given.retry) ? { retry: given.retry.value } : {}),
  ...(Option.isSome(given.firstOnly) ? { first_only: given.firstOnly.value } : {}),
  ...(Option.isSome(given.bodyContent) ? { body_content: given.bodyContent.value } : {}),
  ...(Option.isSome(given.enabled) ? { enabled: given.enabled.value } : {}),
})
