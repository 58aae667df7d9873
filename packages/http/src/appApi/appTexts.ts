import { errorText } from "@inlethq/core/log/ErrorText"

/** The errors of the App API. */
export const appTexts = {
  unauthorized: errorText(
    "Unauthorized request: send an app key of this server as `Authorization: Bearer`",
    "Create a key of the kind `app`, or correct the key.",
  ),
  outsideScope: errorText(
    "this key may only read, and the call needs the scope `read+segments`",
    "Create an app key with that scope.",
  ),
  tooMany: errorText(
    "this key has sent more than {max} requests within a second",
    "Send the request again after the seconds in `Retry-After`.",
  ),
  unknownPath: errorText(
    "the App API of Inlet has no such call",
    "`GET /v1/openapi.json` with an app key lists the calls that it has.",
  ),
  wrongMethod: errorText(
    "this path takes {methods}",
    "Correct the method. `GET /v1/openapi.json` with an app key lists all calls.",
  ),
  sendsNothing: errorText(
    "Inlet sends no messages. It has no transactional messages, campaigns, newsletters and broadcasts, so this call did nothing",
    "Send messages with another service, and let an activity webhook tell it when.",
  ),
  wrongIdType: errorText("`id_type` must be {types}", "Correct `id_type`, or leave it out."),
  notIdentified: errorText(
    "this workspace does not identify people by `{kind}`",
    "Use another `id_type`. The settings of the workspace say which it has.",
  ),
  notFound: errorText("{thing} not found in this workspace", "Check the id and the workspace of the key."),
  noEmail: errorText("the query parameter `email` is missing", "Give the email of the person."),
  wrongLimit: errorText("`limit` must be a whole number from 1 on", "Correct `limit`, or leave it out."),
  wrongStart: errorText(
    "`start` must be the `next` of an earlier page of this list",
    "Leave `start` out to begin at the first page.",
  ),
  wrongTime: errorText("`{field}` must be a time in Unix seconds", "Correct the time, or leave it out."),
  wrongWord: errorText("`{field}` must be one of {words}", "Correct the value, or leave it out."),
  wrongBody: errorText("the body must be a JSON object: {problem}", "Correct the body."),
  tooLarge: errorText("the body is larger than {max} bytes", "Send a smaller body."),
  wrongIds: errorText(
    "`ids` must be a list of at most {max} texts",
    "Ask for fewer people, or correct the list.",
  ),
  wrongName: errorText(
    "`segment.name` must be a text of 1 to {max} characters, and `segment.description` a text",
    "Correct the segment.",
  ),
  wrongFilter: errorText("`{path}`: {problem}", "Correct the filter. docs/app-api.md has examples."),
  oneProperty: errorText(
    "must be an object with exactly one of {names}",
    "Put further conditions into `and` or `or`.",
  ),
  wrongOperator: errorText(
    "`operator` must be `eq` or `exists`",
    "Use a rule of a segment for other operators.",
  ),
  noTypeId: errorText("`object_type_id` must be a text", "Give the type of the objects."),
  otherType: errorText(
    "`type_id` must be the `object_type_id` of the call, which is `{type}`",
    "Leave `type_id` out, or correct it.",
  ),
  ruleSegment: errorText(
    "segment {id} has a rule, and only manual segments can be deleted over the App API",
    "Delete it with `inlet segments delete` or in the console.",
  ),
  wrongColumns: errorText(
    "`attributes` must be a list of at most {max} names",
    "Correct the list, or leave it out.",
  ),
  noSource: errorText(
    "an export of deliveries needs `newsletter_id`, `campaign_id`, `transactional_message_id` or `action_id`",
    "Say which deliveries to export.",
  ),
  tooManyExports: errorText(
    "the workspace has {max} exports, which is the limit",
    "Wait until older ones are gone, which is a day after they were made.",
  ),
  exportPending: errorText("the export is not ready yet", "Ask again until its `status` is `done`."),
  exportGone: errorText(
    "the file of this export is gone",
    "Export again. A file is kept for a day, until somebody in it is deleted, and a link to it works for 15 minutes.",
  ),
  tooSlow: errorText(
    "nothing was found within {seconds} s, because the filter has to look at too many people, messages or entries",
    "Send the request again, narrow the filter, or make a segment with the rule and ask for its membership.",
  ),
  busy: errorText(
    "the server cannot answer now",
    "Send the request again after the seconds in `Retry-After`.",
  ),
  failed: errorText(
    "internal server error in the App API",
    "Operators find the cause in the server's log. Please report it.",
  ),
}
