import { AlertSettings } from "@inlethq/core/alert/AlertSettings"
import { WorkspaceCursor } from "@inlethq/contract/values/Cursor"
import { WorkspaceDocument, type WorkspacePatch } from "@inlethq/contract/workspaces/Workspaces"
import { OmittedPath } from "@inlethq/core/workspace/OmitPath"
import {
  AuditDays,
  HistoryDays,
  RecordsMax,
  RejectedDays,
  RetentionDays,
} from "@inlethq/core/workspace/Workspace"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag, pageFlags } from "../../flags/flags.ts"
import { drawTable } from "../../output/table.ts"
import { drawWorkspace } from "../../output/workspacePage.ts"
import { deleteWorkspace } from "./deleteWorkspace.ts"
import { workspaceArgument } from "./workspaceArgument.ts"
import { expectChange } from "../shared/expectChange.ts"
import { command, listing, raw, showing, type Resource } from "../shared/resource.ts"

const workspaces: Resource<WorkspaceDocument> = {
  group: "workspaces",
  about: "Manage workspaces",
  columns: [
    { heading: "ID", text: ({ environment_id }) => String(environment_id), style: () => "bold" },
    { heading: "NAME", text: ({ name }) => name, shrinks: true },
    { heading: "REGION", text: ({ region }) => region },
    { heading: "IDENTIFIERS", text: ({ identifiers }) => identifiers.join(",") },
    { heading: "RATE LIMIT", text: ({ rate_limit }) => rate_limit },
  ],
  empty: "No workspaces",
  examples: {
    create: {
      "inlet workspaces create staging": "With the default settings",
      "inlet workspaces create shop --identifiers email": "People identified by email",
    },
    list: { "inlet workspaces list --json": "With all settings and limits" },
    update: {
      "inlet workspaces update 1 --name production": "Rename workspace 1",
      "inlet workspaces update 1 --rate-limit throttle --limit rate_requests=5000":
        "Refuse requests above a rate",
      "inlet workspaces update 1 --retention-days 365": "Delete events a year after their receipt",
      "inlet workspaces update 1 --omit url-tokens --omit traits.ssn":
        "Store neither tokens in URLs nor an attribute",
      "inlet workspaces update 1 --kafka inlet.activity": "Copy the activity log to a Kafka topic",
    },
    get: { "inlet workspaces get 1": "The first workspace" },
  },
}

const Retention = Schema.Union([
  Schema.Literal("never"),
  Schema.FiniteFromString.pipe(Schema.decodeTo(RetentionDays)),
])

const RecordLimit = Schema.Union([
  Schema.Literal("unlimited"),
  Schema.FiniteFromString.pipe(Schema.decodeTo(RecordsMax)),
])

const settings = {
  identifiers: optionalFlag(
    Flag.Literals("identifiers", ["id", "email", "id,email"]),
    "What identifies people",
  ),
  region: optionalFlag(Flag.Literals("region", ["us", "eu"]), "The region of the workspace"),
  rateLimit: optionalFlag(
    Flag.Literals("rate-limit", ["observe", "throttle"]),
    "Record or refuse requests above the rate",
  ),
  emailUpdateById: optionalFlag(Flag.Boolean("email-update-by-id"), "Let calls by id change an email"),
  eventMerging: optionalFlag(
    Flag.Boolean("event-merging"),
    "Give people the events of their anonymous visits",
  ),
  placeholderIds: optionalFlag(
    Flag.Literals("placeholder-ids", ["mark", "reject"]),
    "Say in entries that an id is a placeholder such as undefined, or reject the call",
  ),
  unknownEvents: optionalFlag(
    Flag.Literals("unknown-events", ["allow", "observe", "reject"]),
    "Say in entries that an event has no plan, or reject such calls",
  ),
  context: optionalFlag(
    Flag.Literals("context", ["keep", "off"]),
    "Keep where Pipelines calls came from (page, campaign, address, device), or not",
  ),
  omit: Flag.String("omit").pipe(
    Flag.withMetavar("PATH"),
    Flag.withDescription(
      "What to take out of calls, such as context.page.search, properties.card or traits.ssn; url-query for the query strings of URLs, url-tokens for passwords and tokens in URLs; none for nothing. Repeat it for more",
    ),
    Flag.withSchema(Schema.Union([Schema.Literal("none"), OmittedPath])),
    Flag.atLeast(0),
  ),
  bots: optionalFlag(
    Flag.Literals("bots", ["mark", "ignore"]),
    "Say in entries that a user agent is that of a bot, or ignore the call",
  ),
  ip: optionalFlag(
    Flag.Literals("ip", ["drop", "truncate", "keep"]),
    "Keep nothing of the addresses of clients, their networks, or all",
  ),
  kafka: Flag.String("kafka").pipe(
    Flag.withMetavar("TOPIC"),
    Flag.withDescription("The Kafka topic to copy the activity log to, such as inlet.activity, or off"),
    Flag.optional,
  ),
  retentionDays: Flag.String("retention-days").pipe(
    Flag.withMetavar("DAYS"),
    Flag.withDescription("Delete events after this many days, from 30 to 36500, or never"),
    Flag.withSchema(Retention),
    Flag.optional,
  ),
  auditDays: optionalFlag(
    Flag.Int("audit-days").pipe(Flag.withMetavar("DAYS"), Flag.withSchema(AuditDays)),
    "Delete records of the audit log after this many days, from 1 to 3650",
  ),
  historyDays: optionalFlag(
    Flag.Int("history-days").pipe(Flag.withMetavar("DAYS"), Flag.withSchema(HistoryDays)),
    "Keep entries that are not events, and people as they were, for this many days, from 30 to 36500",
  ),
  rejectedDays: optionalFlag(
    Flag.Int("rejected-days").pipe(Flag.withMetavar("DAYS"), Flag.withSchema(RejectedDays)),
    "Keep what was sent in rejected calls for this many days, from 0 to 90",
  ),
  alertErrorRate: optionalFlag(
    Flag.Int("alert-error-rate-percent").pipe(
      Flag.withMetavar("PERCENT"),
      Flag.withSchema(AlertSettings.fields.errorRatePercent),
    ),
    "Alert when this share of the operations of 10 minutes is rejected or applied in part",
  ),
  alertErrorsMin: optionalFlag(
    Flag.Int("alert-errors-min").pipe(
      Flag.withMetavar("COUNT"),
      Flag.withSchema(AlertSettings.fields.errorsMin),
    ),
    "How many of them there must be for that",
  ),
  alertLag: optionalFlag(
    Flag.Int("alert-lag-seconds").pipe(
      Flag.withMetavar("SECONDS"),
      Flag.withSchema(AlertSettings.fields.lagSeconds),
    ),
    "Alert when a webhook, a forward, the lake or rules about time are this far behind",
  ),
  recordsMax: Flag.String("records-max").pipe(
    Flag.withMetavar("COUNT"),
    Flag.withDescription("The most people, objects, forms and deliveries to store, or unlimited"),
    Flag.withSchema(RecordLimit),
    Flag.optional,
  ),
  limits: optionalFlag(Flag.KeyValuePair("limit"), "Limits to set, such as rate_requests=5000"),
}

interface Given {
  readonly identifiers: Option.Option<"id" | "email" | "id,email">
  readonly region: Option.Option<"us" | "eu">
  readonly rateLimit: Option.Option<"observe" | "throttle">
  readonly emailUpdateById: Option.Option<boolean>
  readonly eventMerging: Option.Option<boolean>
  readonly placeholderIds: Option.Option<"mark" | "reject">
  readonly unknownEvents: Option.Option<"allow" | "observe" | "reject">
  readonly context: Option.Option<"keep" | "off">
  readonly omit: ReadonlyArray<string>
  readonly bots: Option.Option<"mark" | "ignore">
  readonly ip: Option.Option<"drop" | "truncate" | "keep">
  readonly kafka: Option.Option<string>
  readonly retentionDays: Option.Option<number | "never">
  readonly auditDays: Option.Option<number>
  readonly historyDays: Option.Option<number>
  readonly rejectedDays: Option.Option<number>
  readonly alertErrorRate: Option.Option<number>
  readonly alertErrorsMin: Option.Option<number>
  readonly alertLag: Option.Option<number>
  readonly recordsMax: Option.Option<number | "unlimited">
  readonly limits: Option.Option<Readonly<Record<string, string>>>
}

const identifierLists = { id: ["id"], email: ["email"], "id,email": ["id", "email"] } as const

const patchFrom = Effect.fnUntraced(function* (given: Given): Effect.fn.Return<WorkspacePatch, WrongOption> {
  const alerts = alertsFrom(given)
  return {
    ...(Option.isSome(given.identifiers) ? { identifiers: identifierLists[given.identifiers.value] } : {}),
    ...(Option.isSome(given.region) ? { region: given.region.value } : {}),
    ...(Option.isSome(given.rateLimit) ? { rate_limit: given.rateLimit.value } : {}),
    ...(Option.isSome(given.emailUpdateById) ? { email_update_by_id: given.emailUpdateById.value } : {}),
    ...(Option.isSome(given.eventMerging) ? { event_merging: given.eventMerging.value } : {}),
    ...(Option.isSome(given.placeholderIds) ? { placeholder_ids: given.placeholderIds.value } : {}),
    ...(Option.isSome(given.unknownEvents) ? { unknown_events: given.unknownEvents.value } : {}),
    ...(Option.isSome(given.context) ? { context: given.context.value } : {}),
    ...(given.omit.length > 0 ? { omit: given.omit.filter((path) => path !== "none") } : {}),
    ...(Option.isSome(given.bots) ? { bots: given.bots.value } : {}),
    ...(Option.isSome(given.ip) ? { ip: given.ip.value } : {}),
    ...(Option.isSome(given.kafka)
      ? { kafka: given.kafka.value === "off" ? null : { topic: given.kafka.value } }
      : {}),
    ...(Option.isSome(given.retentionDays)
      ? { retention_days: given.retentionDays.value === "never" ? null : given.retentionDays.value }
      : {}),
    ...(Option.isSome(given.auditDays) ? { audit_days: given.auditDays.value } : {}),
    ...(Option.isSome(given.historyDays) ? { history_days: given.historyDays.value } : {}),
    ...(Option.isSome(given.rejectedDays) ? { rejected_days: given.rejectedDays.value } : {}),
    ...(Object.keys(alerts).length > 0 ? { alerts } : {}),
    ...(Option.isSome(given.recordsMax)
      ? { records_max: given.recordsMax.value === "unlimited" ? null : given.recordsMax.value }
      : {}),
    ...(Option.isSome(given.limits) ? { limits: yield* limitsFrom(given.limits.value) } : {}),
  }
})

const alertsFrom = ({ alertErrorRate, alertErrorsMin, alertLag }: Given) => ({
  ...(Option.isSome(alertErrorRate) ? { error_rate_percent: alertErrorRate.value } : {}),
  ...(Option.isSome(alertErrorsMin) ? { errors_min: alertErrorsMin.value } : {}),
  ...(Option.isSome(alertLag) ? { lag_seconds: alertLag.value } : {}),
})

const limitNames = Object.keys(WorkspaceDocument.fields.limits.fields)

const limitsFrom = Effect.fnUntraced(function* (given: Readonly<Record<string, string>>) {
  const limits: Record<string, number> = {}
  for (const [name, text] of Object.entries(given)) {
    if (!limitNames.includes(name)) {
      return yield* new WrongOption({
        message: cliTexts.unknownLimit({ name, names: limitNames.join(", ") }),
      })
    }
    if (!/^\d{1,15}$/.test(text)) {
      return yield* new WrongOption({ message: cliTexts.wrongLimit({ name }) })
    }
    limits[name] = Number(text)
  }
  return limits
})

const create = command(
  workspaces,
  "create",
  "Create a workspace, which shares no data with others",
  { name: Argument.String("name").pipe(Argument.withDescription("The name of the workspace")), ...settings },
  showing(
    ({ client }, { name, ...given }) =>
      Effect.flatMap(patchFrom(given), (patch) =>
        client.workspaces.create({ payload: { ...patch, name }, ...raw }),
      ),
    (workspace, screen) => drawTable(screen, workspaces.columns, [workspace]),
  ),
)

const list = command(
  workspaces,
  "list",
  "List workspaces, newest first",
  pageFlags(WorkspaceCursor),
  listing(workspaces, ({ client }, query) => client.workspaces.list({ query, ...raw })),
)

const update = command(
  workspaces,
  "update",
  "Change the given settings of a workspace; other settings stay",
  {
    workspace: workspaceArgument,
    name: optionalFlag(Flag.String("name"), "A new name"),
    ...settings,
  },
  showing(
    ({ client }, { name, workspace, ...given }) =>
      Effect.gen(function* () {
        const renamed = Option.isSome(name) ? { name: name.value } : {}
        const payload = { ...(yield* patchFrom(given)), ...renamed }
        yield* expectChange(payload, "workspaces update")
        return yield* client.workspaces.update({ params: { w: workspace }, payload, ...raw })
      }),
    drawWorkspace,
  ),
)

const get = command(
  workspaces,
  "get",
  "Show all settings and limits of a workspace",
  { workspace: workspaceArgument },
  showing(
    ({ client }, { workspace }) => client.workspaces.get({ params: { w: workspace }, ...raw }),
    drawWorkspace,
  ),
)

export const workspacesCommand = Command.make(workspaces.group).pipe(
  Command.withDescription(workspaces.about),
  Command.withSubcommands([create, list, get, update, deleteWorkspace]),
)
