import { errorText } from "@inlet/core/log/ErrorText"

/** The `detail` texts of the management API's problem documents. */
export const details = {
  notFound: errorText("{thing} not found in this workspace", {
    seen: "management API: 404",
    expected: "a resource that exists in the workspace that the path names",
    remedy: "Check the id and the workspace.",
  }),
  notAddable: errorText("this person is in as many segments as the limit `segments_per_person` allows", {
    seen: "management API, adding a person to a segment: 409",
    expected: "a person who is in fewer segments than the limit `segments_per_person`",
    remedy: "Remove the person from another segment, or raise `segments_per_person` of the workspace.",
  }),
  expired: errorText("expires_at: expected a time in the future", {
    seen: "management API, creating a key: 400",
    expected: "a time after now by the clock of the server, or null for a key that does not expire",
    remedy: "Send a later time, in UTC such as `2027-01-31T12:00:00Z`, or leave `expires_at` out.",
  }),
  noWorkspace: errorText("workspace {workspace} not found", {
    seen: "management API: 404",
    expected: "the id (`environment_id`) of a workspace that exists",
    remedy: "Find `environment_id` in the list of workspaces, `GET /management/v1/workspaces`.",
  }),
  auditDaysOfAll: errorText(
    "audit_days: only a token for all workspaces may change it, which {token} is not",
    {
      seen: "management API, changing a workspace: 403",
      expected: "an admin of all workspaces, because a workspace's own admins are recorded in the audit log",
      remedy: "Ask the owner of the installation to change `audit_days`.",
    },
  ),
  otherName: errorText("name: workspace {workspace} has the name {name}", {
    seen: "management API, deleting a workspace: 409",
    expected: "the name of the workspace in `name`, exactly as it is stored",
    remedy: "Check that this is the workspace to delete, and send its name.",
  }),
  noPath: errorText("unknown path; openapi.json lists all paths", {
    seen: "management API: 404",
    expected: "a path of the API, in its exact case",
    remedy: "Compare the path with `/management/v1/openapi.json`.",
  }),
  wrongPathPart: errorText("unknown path: {problem}", {
    seen: "management API: 404",
    expected: "path parameters in the format that the message describes",
    remedy: "Correct the path.",
  }),
  methodNotAllowed: errorText("this path accepts {methods}", {
    seen: "management API: 405 with `Allow`",
    expected: "one of the methods that the message lists",
    remedy: "Use one of the listed methods.",
  }),
  unknownRule: errorText(
    "unknown rule: expected a name from an activity entry, such as `track-api §2.1 rule 3`",
    {
      seen: "management API: 404",
      expected: "the name of a rule, percent-encoded in the path",
      remedy: "Copy the name from the field `rule` of an activity entry, and percent-encode it.",
    },
  ),
  unauthorized: errorText("send `Authorization: Bearer <management token>`, or sign in to the console", {
    seen: "management API: 401",
    expected: "a management token that has not expired, or the session cookie of the console",
    remedy:
      "Use the value of `INLET_MANAGEMENT_TOKEN`, the token that Inlet generated in the data directory, or a token from `inlet tokens create`.",
  }),
  scopeNeeded: errorText("this needs a token with the scope `{scope}`; the scope of {token} is `{has}`", {
    seen: "management API: 403",
    expected: "a management token with the scope that the message names",
    remedy: "Ask an admin of the installation for a token with that scope (`inlet tokens create`).",
  }),
  scopeOfAllNeeded: errorText(
    "this needs a token with the scope `{scope}` for all workspaces, which {token} is not",
    {
      seen: "management API: 403",
      expected:
        "a management token that is not limited to some workspaces and has the scope that the message names",
      remedy: "Use the installation's own token, or ask its owner for a token for all workspaces.",
    },
  ),
  otherWorkspace: errorText("the token {token} may not use workspace {workspace}", {
    seen: "management API: 403, whether the workspace exists or not",
    expected: "a management token for the workspace in the path",
    remedy: "Correct the workspace, or ask an admin of the installation for a token for it.",
  }),
  noToken: errorText("token not found", {
    seen: "management API, tokens: 404",
    expected: "the `token_id` of a token that was not revoked",
    remedy: "Find the id with `inlet tokens list`.",
  }),
  installationToken: errorText("the installation's own token cannot be revoked here", {
    seen: "management API, tokens: 409",
    expected: "the `token_id` of a named token",
    remedy:
      "Replace the installation's own token by changing `INLET_MANAGEMENT_TOKEN`, or the file `management-token` in the data directory, and restart the server.",
  }),
  wrongExpiry: errorText("expires_at: must be an ISO 8601 time in the future", {
    seen: "management API, tokens: 400",
    expected: "a time in the future, such as `2030-01-31T12:00:00.000Z`",
    remedy: "Send a later time, or leave `expires_at` out.",
  }),
  foreignOrigin: errorText("this request does not come from the console of this server", {
    seen: "console and management API with a session cookie: 403",
    expected:
      "a request that the browser sends for a page of this server (`Sec-Fetch-Site: same-origin`, or the server's own `Origin`). The body cannot be form data or plain text",
    remedy:
      "Programs should send the management token as `Authorization: Bearer <token>` instead of the cookie.",
  }),
  wrongToken: errorText("this is not a management token", {
    seen: "signing in to the console: 401",
    expected: "a management token that was not revoked and has not expired",
    remedy:
      "Use the value of `INLET_MANAGEMENT_TOKEN`, the token that Inlet generated in the data directory, or a token from `inlet tokens create`.",
  }),
  signInLinkSpent: errorText("this sign-in link was already used or is older than 10 minutes", {
    seen: "signing in to the console: 401",
    expected: "the link that the last start of the server printed, within 10 minutes and once",
    remedy: "Sign in with the management token, or restart the server to get a new link.",
  }),
  tooManyWrongTokens: errorText(
    "this is not the management token, and this address has sent more than {tokens} wrong ones in a minute",
    {
      seen: "management API, metrics and signing in to the console: 429 with `Retry-After`",
      expected: "the management token, which is accepted at any time",
      remedy:
        "Find the program that sends a wrong token, and give it the value of `INLET_MANAGEMENT_TOKEN`, or the token that Inlet generated in the data directory.",
    },
  ),
  metricsUnauthorized: errorText(
    "send `Authorization: Bearer <management token>`, or send the request from loopback",
    {
      seen: "`/metrics`: 401",
      expected:
        "a management token for all workspaces, or a direct request from the machine on which the server runs, with a loopback name such as `localhost` in `Host`",
      remedy: "Send the token, or set `INLET_METRICS=open`.",
    },
  ),
  metricsOfAll: errorText("this token is limited to some workspaces, and the metrics are about all of them", {
    seen: "`/metrics`: 403",
    expected: "a management token for all workspaces",
    remedy: "Create a token with the scope `read` for all workspaces.",
  }),
  unknownField: errorText("{field}: unknown field", {
    seen: "management API: 400",
    expected: "only documented fields",
    remedy: "Remove the field or correct its name.",
  }),
  compressed: errorText("the management API does not accept compressed bodies", {
    seen: "management API: 415",
    expected: "a body without `Content-Encoding`",
    remedy: "Send the body uncompressed.",
  }),
  wrongContentType: errorText("send the body with `Content-Type: {types}`", {
    seen: "management API: 415",
    expected: "the content type that the message names",
    remedy: "Set `Content-Type`.",
  }),
  tooLarge: errorText("the body is too large", {
    seen: "management API: 413",
    expected: "a body of at most 1 MiB, except for imports",
    remedy: "Split the data between several calls.",
  }),
  unreadable: errorText("the request could not be read", {
    seen: "management API: 400",
    expected: "a complete HTTP request",
    remedy: "Send the request again.",
  }),
  failed: errorText("internal server error; see the server's log", {
    seen: "management API: 500",
    expected: "no error inside Inlet",
    remedy: "Find the cause in the server's log, and please report it.",
  }),
  busy: errorText("too many management requests are in progress; try again later", {
    seen: "management API: 503 with `Retry-After`",
    expected: "fewer requests at once",
    remedy:
      "Try again later. Read each response without pauses, because a response that is not fully read counts as in progress.",
  }),
  wrongFilter: errorText("filter: {problem}", {
    seen: "management API, activity: 400",
    expected: "a filter as in [filters](filters.md)",
    remedy: "Correct the term that the message names.",
  }),
  emptyPeriod: errorText("`from` must be before `to`", {
    seen: "management API, stats: 400",
    expected: "a period that is not empty",
    remedy: "Correct `from` or `to`.",
  }),
  tooManySteps: errorText("the period has more than {steps} steps; increase `step`", {
    seen: "management API, stats: 400",
    expected: "a `step` in seconds that is long enough for the period",
    remedy: "Increase `step`, or shorten the period.",
  }),
  oneIdentifier: errorText("give exactly one of `id` and `email`", {
    seen: "management API, suppressions: 400",
    expected: "either `id` or `email` in the query",
    remedy: "Add or remove a parameter of the query.",
  }),
  oneSearch: errorText("give at most one of `id`, `email`, `svc_id`, `anonymous_id`, `q` and `attribute`", {
    seen: "management API, people: 400",
    expected: "at most one of these parameters in the query",
    remedy: "Remove the other parameters.",
  }),
  valueWithoutAttribute: errorText("`value` needs `attribute`, the name of the attribute to search by", {
    seen: "management API, people: 400",
    expected: "`attribute` and `value`, or `attribute` alone",
    remedy: "Add `attribute` to the query.",
  }),
  identifiersInUse: errorText(
    "the setting `identifiers` cannot be changed while the workspace has people, because some people could no longer be addressed; delete all people first, or create another workspace",
    {
      seen: "management API, workspaces: 409",
      expected: "a workspace without people",
      remedy:
        "Create a workspace with the new value of the setting `identifiers`, and import the people there.",
    },
  ),
  longDeliveryId: errorText("delivery_id cannot be longer than {bytes} bytes", {
    seen: "management API, deliveries: 400",
    expected: "an id within the limit",
    remedy: "Shorten the id.",
  }),
  recipientNotFound: errorText("person: not found in this workspace; create the person first", {
    seen: "management API, deliveries: 422",
    expected: "a person who exists",
    remedy: "Identify the person first.",
  }),
  longMapping: errorText("mapping: names cannot be longer than {bytes} bytes", {
    seen: "management API, forms: 400",
    expected: "names within the limit of attribute names",
    remedy: "Shorten the name.",
  }),
  noFile: errorText("the upload ended before any part of the file arrived", {
    seen: "management API, imports: 400",
    expected: "a CSV file as the body",
    remedy: "Send the file again.",
  }),
  tooManyImports: errorText("{running} imports are running and {waiting} more are waiting; try again later", {
    seen: "management API, imports: 503 with `Retry-After`",
    expected: "fewer imports at once",
    remedy: "Send the file again when another import has ended.",
  }),
  keyOfAnotherFile: errorText(
    "the Idempotency-Key was used with another file in the last 30 days; send this file with a new key",
    {
      seen: "management API, imports: 409, or `errors` of the summary",
      expected: "a key that was used with this file only",
      remedy: "Send the file with a new key, or without a key.",
    },
  ),
  exportStopped: errorText("the server is stopping", {
    seen: "management API, exports: the last line",
    expected: "a server that runs until the export ends",
    remedy: "Start the export again when the server runs.",
  }),
  exportAccessEnded: errorText("the token or session that started the export is no longer valid", {
    seen: "management API, exports: the last line",
    expected: "a token that is not revoked and has not expired, or a session that is not signed out",
    remedy: "Start the export again with another token, or after signing in again.",
  }),
  noPersonOfRow: errorText("person not found", {
    seen: "CSV imports of events: `errors` of the summary, with the line number",
    expected: "a person who exists",
    remedy: "Import the people first.",
  }),
}
