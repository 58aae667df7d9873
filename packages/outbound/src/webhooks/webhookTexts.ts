import { errorText } from "@inlet/core/log/ErrorText"

const settings = "management API, webhooks: 400"
const refused = "management API, webhooks: 422"
const attempts = "`response_excerpt` of an attempt"

/** The texts of errors about webhooks, in responses of the management API and in recorded attempts. */
export const webhookTexts = {
  wrongUrl: errorText("url: must be an http or https URL", {
    seen: settings,
    expected: "an absolute URL such as `https://example.com/hook`",
    remedy: "Correct the URL.",
  }),
  longUrl: errorText("url: cannot be longer than {max} characters", {
    seen: settings,
    expected: "a URL within the limit",
    remedy: "Shorten the URL.",
  }),
  urlCredentials: errorText("url: cannot contain a user name or a password", {
    seen: settings,
    expected: "a URL without credentials, because URLs are shown to all operators",
    remedy: "Remove the credentials, and verify the signature of each request instead.",
  }),
  unknownEvent: errorText("events: unknown event {event}", {
    seen: settings,
    expected: "names such as `email_opened`, or only `*` for all events",
    remedy: "Correct the name. [webhooks.md](webhooks.md) lists all events.",
  }),
  eventsOfActivity: errorText(
    'events: an activity webhook must leave this field out or set it to ["*"]; select entries with the field `filter`',
    {
      seen: settings,
      expected: 'no field `events`, or `["*"]`',
      remedy: "Leave the field `events` out, and set `filter`.",
    },
  ),
  filterOfReporting: errorText(
    "filter: only activity webhooks have a filter; select events with the field `events`",
    {
      seen: settings,
      expected: "a reporting webhook without `filter`",
      remedy: "Remove `filter`, or create an activity webhook.",
    },
  ),
  addressRefused: errorText(
    "url: {host} has the address {address}, which is not public: use a public address, or list its subnet in INLET_WEBHOOK_ALLOW of the server",
    {
      seen: `${refused}; ${attempts}`,
      expected:
        "a host with a public address, or with an address in a subnet that `INLET_WEBHOOK_ALLOW` lists",
      remedy: "Use a public address, or add its subnet to `INLET_WEBHOOK_ALLOW` and restart Inlet.",
    },
  ),
  nameNotFound: errorText("url: the host name {host} does not resolve", {
    seen: `${refused}; ${attempts}`,
    expected: "a host name that the resolver of the server knows",
    remedy: "Correct the host name, or add it to the DNS.",
  }),
  nameNotAnswered: errorText("url: no DNS server answered for the host name {host} in time", {
    seen: `${refused}; ${attempts}`,
    expected: "an answer of the DNS servers of the system within 3 seconds",
    remedy:
      "Check the host name, and that its DNS servers and those of the server's system answer. Failed events are sent again.",
  }),
  tooMany: errorText("a workspace has at most {max} webhooks", {
    seen: "management API, webhooks: 409",
    expected: "fewer webhooks",
    remedy: "Delete webhooks that are no longer used.",
  }),
  wrongSince: errorText("since: must be a time in ISO 8601", {
    seen: settings,
    expected: "a time such as `2026-01-31T12:00:00Z`",
    remedy: "Correct the time.",
  }),
  notRetried: errorText("the event of this attempt is not being retried", {
    seen: "management API, webhooks: 409",
    expected: "an event that still waits to be delivered",
    remedy:
      "Do nothing. Nothing is left to skip, because the event was delivered, has failed or was already skipped.",
  }),
  eventGone: errorText("the log entry of this event was erased or has expired", {
    seen: "management API, webhooks: 409",
    expected: "an event with a log entry that still exists",
    remedy: "Do nothing: an event can be sent again only as long as its log entry is stored.",
  }),
  timedOut: errorText("no answer within {seconds} seconds", {
    seen: attempts,
    expected: "an answer with a 2xx status in time",
    remedy: "Answer first, and process the event afterwards.",
  }),
  connectionFailed: errorText("connection failed: {reason}", {
    seen: attempts,
    expected: "a server that accepts connections at the URL",
    remedy: "Check that the receiver is running and reachable from Inlet.",
  }),
}
