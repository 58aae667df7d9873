import { RetrySchedule, WebhookOrdering } from "@inlet/core/webhook/Webhook"
import type { WebhookPatch } from "@inlet/api/management/Webhooks"
import { Option } from "effect"
import { Argument, Flag } from "effect/cli"

/** The argument that selects a webhook by its id. */
export const webhookArgument = Argument.String("webhook_id").pipe(
  Argument.withDescription("The id that `inlet webhooks list` shows"),
)

/** The flags that set a webhook's settings, for creating and for updating a webhook. */
export const settingFlags = {
  name: Flag.String("name").pipe(Flag.withDescription("A name for operators"), Flag.optional),
  events: Flag.String("events").pipe(
    Flag.withMetavar("names"),
    Flag.withDescription("Names of reporting events with commas between them, or * for all events"),
    Flag.map((names) => names.split(",")),
    Flag.optional,
  ),
  filter: Flag.String("filter").pipe(
    Flag.withDescription("The entries that an activity webhook sends, see docs/filters.md"),
    Flag.optional,
  ),
  ordering: Flag.Literals("ordering", WebhookOrdering.literals).pipe(
    Flag.withDescription("The order in which events are sent"),
    Flag.optional,
  ),
  retry: Flag.Literals("retry", RetrySchedule.literals).pipe(
    Flag.withDescription("The waits between attempts"),
    Flag.optional,
  ),
  firstOnly: Flag.Boolean("first-only").pipe(
    Flag.withDescription("Send only the first report of a metric of each delivery"),
    Flag.optional,
  ),
  bodyContent: Flag.Boolean("body-content").pipe(
    Flag.withDescription("Include the preferences in events about subscription preferences"),
    Flag.optional,
  ),
  enabled: Flag.Boolean("enabled").pipe(
    Flag.withDescription("Send events; a disabled webhook keeps its position in the log"),
    Flag.optional,
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

/** Returns only the settings that flags were given for. */
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
