import { errorText } from "@inlethq/core/log/ErrorText"

/** The texts of errors about the address of a webhook or a forward, and about requests to it. */
export const sendingTexts = {
  wrongUrl: errorText(
    "url: must be an http or https URL",
    "Send an absolute URL, such as `https://example.com/hook`.",
  ),
  longUrl: errorText("url: cannot be longer than {max} characters", "Shorten the URL."),
  urlCredentials: errorText(
    "url: cannot contain a user name or a password",
    "Remove the credentials, and verify the signature of each request instead.",
  ),
  addressRefused: errorText(
    "url: {host} has the address {address}, which is not public: use a public address, or list its subnet in INLET_WEBHOOK_ALLOW of the server",
    "Use a public address, or add its subnet to `INLET_WEBHOOK_ALLOW` and restart Inlet.",
  ),
  nameNotFound: errorText(
    "url: the host name {host} does not resolve",
    "Correct the host name, or add it to the DNS.",
  ),
  nameNotAnswered: errorText(
    "url: no DNS server answered for the host name {host} in time",
    "Check the host name, and that its DNS servers and those of the server's system answer within 3 seconds. Failed events are sent again.",
  ),
  timedOut: errorText(
    "no answer within {seconds} seconds",
    "Answer with a 2xx status first, and process the event afterwards.",
  ),
  connectionFailed: errorText(
    "connection failed: {reason}",
    "Check that the receiver is running and reachable from Inlet.",
  ),
  wrongSince: errorText("since: must be a time in ISO 8601", "Send a time such as `2026-01-31T12:00:00Z`."),
  notRetried: errorText(
    "the event of this attempt is not being retried",
    "Do nothing. Nothing is left to skip, because the event was delivered, has failed or was already skipped.",
  ),
  eventGone: errorText(
    "the log entry of this event was erased or has expired",
    "Do nothing: an event can be sent again only as long as its log entry is stored.",
  ),
}
