import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of errors about webhooks, in responses of the management API and in recorded attempts. */
export const webhookTexts = {
  unknownEvent: errorText(
    "events: unknown event {event}",
    "Correct the name, such as `email_opened`, or send only `*` for all events. [webhooks.md](webhooks.md) lists them.",
  ),
  unknownChange: errorText(
    "events: unknown change {event}",
    "Correct the name, such as `new_name`, or send only `*` for all changes. [types.md](types.md#what-changed) lists them.",
  ),
  unknownCondition: errorText(
    "events: unknown condition {event}",
    "Send `new_cause`, `error_rate`, `lag` and `silent`, or only `*` for all alerts. [webhooks.md](webhooks.md#alerts) says what they mean.",
  ),
  eventsOfActivity: errorText(
    'events: an activity webhook must leave this field out or set it to ["*"]; select entries with the field `filter`',
    "Leave the field `events` out, and set `filter`.",
  ),
  filterOfReporting: errorText(
    "filter: only activity webhooks have a filter; select events with the field `events`",
    "Remove `filter`, or create an activity webhook.",
  ),
}
