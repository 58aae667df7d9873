import { errorText } from "@inlethq/core/log/ErrorText"

/** The `detail` texts of the management API's problem documents. */
export const problemTexts = {
  notFound: errorText("{thing} not found in this workspace", "Check the id and the workspace."),
  noCapsule: errorText(
    "no capsule of this operation can be made: {reason}",
    "Make one of another operation that shows the same.",
  ),
  whatIfRuns: errorText(
    "a trial of this workspace is running",
    "Wait until it has ended, or stop it with POST …/what-if/{what_if_id}/stop.",
  ),
  whatIfsRun: errorText(
    "this server runs {max} trials already, which is as many as it may",
    "Wait until one has ended.",
  ),
  whatIfElsewhere: errorText(
    "this node has no such trial: a report is in the memory of the node that made it, until that restarts",
    "Ask the node that started the trial, or start it again.",
  ),
  whatIfFull: errorText(
    "it ended early, because more than {max} people and objects would be different",
    "Try a shorter time, or read the report up to there.",
  ),
  whatIfFailed: errorText(
    "the log could not be read to the end",
    "Start the trial again. The log of the server says why it failed.",
  ),
  whatIfPruned: errorText(
    "from: the log begins at position {position}",
    "Give a later position. Entries before it were deleted for their age.",
  ),
  oneChange: errorText(
    "change: give one of its fields, or none",
    "Try one change after the other, so that the report says what each does.",
  ),
  daysOrPosition: errorText("give `days` or `from`, not both", "Leave one of them out."),
  ruleDays: errorText(
    "days: a rule is tried on the last {max} days at most, and without positions",
    "Give fewer days, and leave `from` out.",
  ),
  noPair: errorText(
    "primary, secondary: must be the `svc_id`s of two people of this workspace",
    "Look for them with GET …/people.",
  ),
  noObjectThen: errorText("there was no such object at that moment", "Ask for a later moment."),
  noPersonThen: errorText(
    "this workspace had no such person then",
    "Ask for a later moment, or check the id and the workspace.",
  ),
  oneMoment: errorText("give `position` or `at`, not both", "Leave one of them out."),
  beforeHistory: errorText(
    "the history of this workspace begins after position {position}",
    "Ask for that position or a later one. To keep more from now on, raise `history_days` of the workspace.",
  ),
  beforeHistoryTime: errorText(
    "the history of this workspace begins after position {position}, at {time}",
    "Ask for that moment or a later one. To keep more from now on, raise `history_days` of the workspace.",
  ),
  samePair: errorText("the two people of `svc_ids` are one", "Name two different people."),
  tooManyDismissals: errorText(
    "one of the two people is in {max} dismissed pairs, which is the limit",
    "Find out why so many people look like this one. The cause is often a shared id, email or device.",
  ),
  planChanged: errorText(
    "the version is {version} by now",
    "Read it again, make the change again, and send it with that version or without one.",
  ),
  viewNameTaken: errorText(
    "a view of the page {page} is named {name} already",
    "Choose another name, or change that view with `PATCH …/views/{view_id}`.",
  ),
  tooManyViews: errorText(
    "the workspace has {max} saved views, which is the limit",
    "Delete a view that nobody uses.",
  ),
  noMerge: errorText(
    "there is no such merge that can be undone",
    "List the merges of the person with `GET …/people/{svc_id}/merges`. A merge can be undone for 30 days, and as long as its entry is kept.",
  ),
  wrongUnmerge: errorText(
    "to undo a merge, give `primary` with an `id`, an `email` or a `svc_id`, and `secondary` with the `svc_id` of who was merged",
    "Correct the two people.",
  ),
  unknownCall: errorText(
    "no API takes a call with this method and path that is one operation",
    "Send the `call` of an operation, or one like it: its path begins with `/api/v1`, `/api/v2`, `/v1` or the path of this workspace.",
  ),
  callElsewhere: errorText(
    "the path of the call names another workspace",
    "Put the call to that workspace, or correct its path.",
  ),
  wrongDivide: errorText(
    "divide must be true or false",
    "Give true to return the events since the merge that named an identifier of the secondary.",
  ),
  maskedAdmin: errorText(
    "a masked token cannot have the scope `admin`, with which it could make itself a token that is not masked",
    "Give it the scope `read` or `write`.",
  ),
  maskedStream: errorText(
    "a masked token gets no exports and no streams",
    "Read documents and lists, or use a token that is not masked.",
  ),
  scopeOfKey: errorText(
    "only keys of the kind `app` have a scope, and this one is of the kind `{kind}`",
    "Leave `scope` out, or make an `app` key.",
  ),
  mcpPreview: errorText(
    "this preview cannot be used: it is unknown, used, older than ten minutes, or of another token, workspace or tool",
    "Make the preview again and use its id.",
  ),
  mcpArguments: errorText("wrong arguments: {problem}", "Correct the arguments of the tool."),
  mcpNoAnswer: errorText("the server could not answer", "Look into the log of the server."),
  mcpTokenEnded: errorText("the token is not valid any more", "Connect with another token."),
  mcpTooMany: errorText(
    "at most {max} calls a minute with one token; wait {seconds} seconds",
    "Wait, and ask for more in one call.",
  ),
  mcpWorkspace: errorText(
    "workspace: expected the number of a workspace",
    "Correct `workspace` or the header `Inlet-Workspace`.",
  ),
  mcpOrigin: errorText(
    "MCP is not served to web pages",
    "Connect from a program, or through `inlet mcp`. Programs send no `Origin`.",
  ),
  mcpAllow: errorText(
    "the only value of `Inlet-Allow` is `write`",
    "Leave the header out, so that the session only reads, or correct it.",
  ),
  mcpScope: errorText(
    "`Inlet-Allow: write` needs a token with the scope `write`, which {token} has not",
    "Leave the header out, so that the session only reads, or use another token.",
  ),
  mcpTooLarge: errorText("the message is larger than {max} bytes", "Send a smaller message."),
  noRule: errorText(
    "people are added to this segment by hand, so there is no rule to explain",
    "Ask for the explanation of a segment by rule.",
  ),
  notAddable: errorText(
    "this person is in as many segments as the limit `segments_per_person` allows",
    "Remove the person from another segment, or raise `segments_per_person` of the workspace.",
  ),
  noWorkspace: errorText(
    "workspace {workspace} not found",
    "Find `environment_id` in the list of workspaces, `GET /management/v1/workspaces`.",
  ),
  auditDaysOfAll: errorText(
    "audit_days: only a token for all workspaces may change it, which {token} is not",
    "Ask the owner of the installation to change `audit_days`.",
  ),
  lakeOfAll: errorText(
    "lake: only a token for all workspaces may change it, which {token} is not",
    "Ask the owner of the installation to change `lake`.",
  ),
  lakeInData: errorText(
    "lake.url: {url} is the data directory of the server, lies in it or contains it",
    "Choose a folder of its own, so that whoever may read the lake does not read the keys and the database.",
  ),
  lakeWithoutFolder: errorText(
    "lake.url: missing, and the workspace has no lake in a folder whose path could stay",
    "Send the absolute path of a folder on the machine of the server as `lake.url`.",
  ),
  noLake: errorText(
    "workspace {workspace} has no lake",
    "Start one with `inlet lake start`, or set `lake` with `PATCH /management/v1/workspaces/{workspace}`.",
  ),
  otherName: errorText(
    "name: workspace {workspace} has the name {name}",
    "Check that this is the workspace to delete, and send its name exactly as it is stored.",
  ),
  noPath: errorText(
    "unknown path; openapi.json lists all paths",
    "Compare the path, also its case, with `/management/v1/openapi.json`.",
  ),
  wrongPathPart: errorText("unknown path: {problem}", "Correct the path."),
  methodNotAllowed: errorText("this path accepts {methods}", "Use one of the listed methods."),
  unknownRule: errorText(
    "unknown rule: expected a name from an activity entry, such as `track-api §2.1 rule 3`",
    "Copy the name from the field `rule` of an activity entry, and percent-encode it.",
  ),
  unauthorized: errorText(
    "send `Authorization: Bearer <management token>`, or sign in to the console",
    "Use the value of `INLET_MANAGEMENT_TOKEN`, the token that Inlet generated in the data directory, or a token from `inlet tokens create`.",
  ),
  scopeNeeded: errorText(
    "this needs a token with the scope `{scope}`; the scope of {token} is `{has}`",
    "Ask an admin of the installation for a token with that scope (`inlet tokens create`).",
  ),
  scopeOfAllNeeded: errorText(
    "this needs a token with the scope `{scope}` for all workspaces, which {token} is not",
    "Use the installation's own token, or ask its owner for a token for all workspaces.",
  ),
  otherWorkspace: errorText(
    "the token {token} may not use workspace {workspace}",
    "Correct the workspace, or ask an admin of the installation for a token for it.",
  ),
  noConsole: errorText(
    "this server does not serve the console",
    "Start it without `INLET_CONSOLE=off`, or ask a node that serves the console.",
  ),
  noConsoleTokens: errorText(
    "the console of this server takes no tokens and no links",
    "Sign in at the issuer, with the button on the page for signing in. `INLET_CONSOLE_TOKENS=on` lets tokens in again.",
  ),
  linkOfPerson: errorText(
    "a session of a person makes no sign-in links",
    "Open the console in the other browser and sign in there.",
  ),
  noSession: errorText(
    "session not found",
    "Find the id with `inlet sessions list`. A session that has ended is not in the list.",
  ),
  noToken: errorText("token not found", "Find the id with `inlet tokens list`."),
  installationToken: errorText(
    "the installation's own token cannot be revoked here",
    "Replace the installation's own token by changing `INLET_MANAGEMENT_TOKEN`, or the file `management-token` in the data directory, and restart the server.",
  ),
  wrongExpiry: errorText(
    "expires_at: expected an ISO 8601 time in the future",
    "Send a later time, such as `2030-01-31T12:00:00Z`, or leave `expires_at` out.",
  ),
  foreignOrigin: errorText(
    "this request does not come from the console of this server",
    "A program should send the management token as `Authorization: Bearer <token>` instead of the cookie. A browser must send `Sec-Fetch-Site: same-origin` or the server's own `Origin`, and neither form data nor plain text.",
  ),
  wrongToken: errorText(
    "this is not a management token",
    "Use the value of `INLET_MANAGEMENT_TOKEN`, the token that Inlet generated in the data directory, or a token from `inlet tokens create`.",
  ),
  signInLinkSpent: errorText(
    "this sign-in link was already used or is older than 10 minutes",
    "Sign in with the management token, or restart the server to get a new link.",
  ),
  tooManyWrongTokens: errorText(
    "this is not the management token, and this address has sent more than {tokens} wrong ones in a minute",
    "Find the program that sends a wrong token, and give it the value of `INLET_MANAGEMENT_TOKEN`, or the token that Inlet generated in the data directory.",
  ),
  metricsUnauthorized: errorText(
    "send `Authorization: Bearer <management token>`, or send the request from loopback",
    "Send a token for all workspaces, ask from the server's own machine with a loopback name such as `localhost` in `Host`, or set `INLET_METRICS=open`.",
  ),
  metricsOfAll: errorText(
    "this token is limited to some workspaces, and the metrics are about all of them",
    "Create a token with the scope `read` for all workspaces.",
  ),
  unknownField: errorText("{field}: unknown field", "Remove the field or correct its name."),
  compressed: errorText(
    "the management API does not accept compressed bodies",
    "Send the body uncompressed.",
  ),
  wrongContentType: errorText("send the body with `Content-Type: {types}`", "Set `Content-Type`."),
  tooLarge: errorText(
    "the body is too large",
    "Split the data between several calls of at most 1 MiB. Only imports can be larger.",
  ),
  unreadable: errorText("the request could not be read", "Send the request again."),
  failed: errorText(
    "internal server error; see the server's log",
    "Find the cause in the server's log, and please report it.",
  ),
  busy: errorText(
    "too many management requests are in progress; try again later",
    "Try again later. Read each response without pauses, because a response that is not fully read counts as in progress.",
  ),
  wrongFilter: errorText(
    "filter: {problem}",
    "Correct the term that the message names, as [filters](filters.md) describes.",
  ),
  emptyPeriod: errorText("`from` must be before `to`", "Correct `from` or `to`."),
  emptyCausePeriod: errorText("`since` must be before `until`", "Correct `since` or `until`."),
  driftSince: errorText(
    "`since` must be a time in ISO 8601 or a position of the log",
    "Send a time such as `2026-01-31T12:00:00Z`, or the `sequence` of an entry.",
  ),
  tooManySteps: errorText(
    "the period has more than {steps} steps; increase `step`",
    "Increase `step`, or shorten the period.",
  ),
  oneIdentifier: errorText("give exactly one of `id` and `email`", "Add or remove a parameter of the query."),
  oneSearch: errorText(
    "give at most one of `id`, `email`, `svc_id`, `anonymous_id`, `q`, `attribute` and `filter`",
    "Remove the other parameters.",
  ),
  valueWithoutAttribute: errorText(
    "`value` needs `attribute`, the name of the attribute to search by",
    "Add `attribute` to the query.",
  ),
  identifiersInUse: errorText(
    "the setting `identifiers` cannot be changed while the workspace has people, because some people could no longer be addressed; delete all people first, or create another workspace",
    "Create a workspace with the new value of the setting `identifiers`, and import the people there.",
  ),
  longDeliveryId: errorText("delivery_id cannot be longer than {bytes} bytes", "Shorten the id."),
  recipientNotFound: errorText(
    "person: not found in this workspace; create the person first",
    "Identify the person first.",
  ),
  longMapping: errorText(
    "mapping: names cannot be longer than {bytes} bytes",
    "Shorten the name. `attribute_name_bytes` of the workspace sets this limit.",
  ),
  noFile: errorText("the upload ended before any part of the file arrived", "Send the file again."),
  tooManyImports: errorText(
    "{running} imports are running and {waiting} more are waiting; try again later",
    "Send the file again when another import has ended.",
  ),
  tooManyUnfinishedImports: errorText(
    "the workspace has {max} imports that have not ended, which is the most",
    "Wait until one of them has ended, or cancel it.",
  ),
  importFileTooLarge: errorText(
    "the file is larger than {megabytes} MB",
    "Split the file, or stream it with `inlet import`, which has no limit.",
  ),
  uploadStopped: errorText(
    "the upload was stopped, because the server stops or the access of its sender ended",
    "Send the file again.",
  ),
  importIsBusy: errorText(
    "the import could not be cancelled, because its progress was saved at the same time",
    "Cancel it again.",
  ),
  tooManyUploads: errorText(
    "{max} files are being uploaded; try again later",
    "Send the file again when another upload has ended.",
  ),
  importHasEnded: errorText("the import has ended, it is {state}", "Nothing needs to be cancelled."),
  erasedSinceUpload: errorText(
    "skipped: the person was deleted after the file was uploaded",
    "Import the person again if they are to come back.",
  ),
  keyOfAnotherFile: errorText(
    "the Idempotency-Key was used with another file in the last 30 days; send this file with a new key",
    "Send the file with a new key, or without a key.",
  ),
  exportStopped: errorText("the server is stopping", "Start the export again when the server runs."),
  exportAccessEnded: errorText(
    "the token or session that started the export is no longer valid",
    "Start the export again with another token, or after signing in again.",
  ),
  linkOfLinks: errorText(
    "this session was opened with a sign-in link of a session that was opened with one, too often to make another",
    "Sign in with a token, and make the link there.",
  ),
  exportUnread: errorText(
    "the export was not read for some seconds while others waited",
    "Start the export again, and read it as it comes.",
  ),
  noPersonOfRow: errorText("person not found", "Import the people first."),
}
