import { AlertSettings } from "@inlethq/core/alert/AlertSettings"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Limits } from "@inlethq/core/workspace/Limits"
import { UnknownEvents } from "@inlethq/core/plan/Plan"
import { omitPathCharactersMax, OmitPaths, omitPathsMax } from "@inlethq/core/workspace/OmitPath"
import {
  AuditDays,
  HistoryDays,
  RejectedDays,
  Region,
  type Workspace,
  RecordsMax,
  RetentionDays,
} from "@inlethq/core/workspace/Workspace"
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Requirement, administers, administersAll, reads, readsOwn } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { WorkspaceCursor } from "../values/Cursor.ts"
import { KafkaTopic } from "../webhooks/KafkaTopic.ts"
import {
  lakeSettingsDocument,
  LakeSettingsDocument,
  NewLakeSettings,
} from "../transfer/LakeSettingsDocument.ts"
import { Name } from "../values/Name.ts"
import { Page, pageQuery } from "../values/Page.ts"
import { Conflict, Unprocessable } from "../access/Problem.ts"

/** The limits of a workspace, by their names in the management API. */
const limitNames = {
  requestBytesMax: "request_bytes",
  batchBytesMax: "batch_bytes",
  batchItemBytesMax: "batch_item_bytes",
  personIdBytesMax: "person_id_bytes",
  objectIdBytesMax: "object_id_bytes",
  attributeNameBytesMax: "attribute_name_bytes",
  attributeValueBytesMax: "attribute_value_bytes",
  attributesPerPersonMax: "attributes_per_person",
  attributesPerObjectMax: "attributes_per_object",
  objectAttributesBytesMax: "object_attributes_bytes",
  eventNameBytesMax: "event_name_bytes",
  eventDataBytesMax: "event_data_bytes",
  segmentIdsMax: "segment_ids",
  relationshipsPerPersonMax: "relationships_per_person",
  segmentsPerPersonMax: "segments_per_person",
  devicesPerPersonMax: "devices_per_person",
  identifiersPerPersonMax: "identifiers_per_person",
  preferencesBytesMax: "preferences_bytes",
  topicsPerPersonMax: "topics_per_person",
  rateRequestsMax: "rate_requests",
  rateWindowSeconds: "rate_window_seconds",
} as const satisfies Record<keyof Limits, string>

const LimitsDocument = Limits.mapFields(Struct.renameKeys(limitNames)).annotate({
  identifier: "Limits",
  description: "the limits of a workspace; lengths are bytes of UTF-8",
})
type LimitsDocument = typeof LimitsDocument.Type

const renamedLimits = Limits.pipe(Schema.encodeKeys(limitNames))
const limitsDocument: (limits: Limits) => LimitsDocument = Schema.encodeSync(renamedLimits)
const limitsOf: (document: LimitsDocument) => Limits = Schema.decodeSync(renamedLimits)

const alertNames = {
  errorRatePercent: "error_rate_percent",
  errorsMin: "errors_min",
  lagSeconds: "lag_seconds",
} as const satisfies Record<keyof AlertSettings, string>

const AlertsDocument = AlertSettings.mapFields(Struct.renameKeys(alertNames)).annotate({
  identifier: "AlertSettings",
  description:
    "from when on something is an alert: `error_rate_percent` of the operations of ten minutes are rejected or applied in part, and at least `errors_min`; a webhook, a forward, the lake or rules about time are `lag_seconds` behind",
})

const renamedAlerts = AlertSettings.pipe(Schema.encodeKeys(alertNames))
const alertsDocument = Schema.encodeSync(renamedAlerts)
const alertsOf = Schema.decodeSync(renamedAlerts)

const settings = {
  name: Name,
  region: Region,
  /** The workspace setting that says which kinds of identifiers people can have: `id`, `email`, or both. */
  identifiers: Schema.Array(Schema.Literals(["id", "email"])).check(Schema.isMinLength(1)),
  email_update_by_id: Schema.Boolean,
  event_merging: Schema.Boolean,
  placeholder_ids: Schema.Literals(["mark", "reject"]).annotate({
    description:
      "what becomes of calls whose id or anonymous id is a placeholder such as `undefined` or `null`: their entries say so (`mark`), or they are rejected (`reject`)",
  }),
  context: Schema.Literals(["keep", "off"]).annotate({
    description:
      "whether entries keep the `context` of Pipelines calls and the place of their address (`keep`, the default), or neither (`off`)",
  }),
  omit: OmitPaths.annotate({
    description: `what is taken out of calls before anything of them is stored: at most ${omitPathsMax} paths of ${omitPathCharactersMax} characters such as \`context.page.search\`, \`properties.card\` and \`traits.ssn\`, and the presets \`url-query\` and \`url-tokens\`; none by default`,
  }),
  bots: Schema.Literals(["mark", "ignore"]).annotate({
    description:
      "what becomes of Pipelines calls whose user agent is that of a bot: their entries say so (`mark`, the default), or they are ignored (`ignore`)",
  }),
  ip: Schema.Literals(["drop", "truncate", "keep"]).annotate({
    description:
      "what is kept of the addresses of clients, in the context of Pipelines calls, in rejected calls, and in the audit records of operations and imports: nothing (`drop`), the network, /24 of an IPv4 and /48 of an IPv6 address (`truncate`, the default), or all (`keep`)",
  }),
  unknown_events: UnknownEvents.annotate({
    description:
      "what becomes of events whose name has no plan: nothing (`allow`, the default), their entries say so (`observe`), or they are rejected (`reject`)",
  }),
  rate_limit: Schema.Literals(["observe", "throttle"]),
  retention_days: Schema.NullOr(RetentionDays).annotate({
    description:
      "the number of days after which entries of the activity log, including events, are deleted; null keeps events for ever",
  }),
  history_days: HistoryDays.annotate({
    description:
      "the number of days for which entries of the activity log that are not events are kept, 30 to 36500, and 30 by default; people can be read as they were within this time",
  }),
  audit_days: AuditDays.annotate({
    description:
      "the number of days after which records of the audit log about this workspace are deleted, 365 by default; only an admin of all workspaces can change it",
  }),
  rejected_days: RejectedDays.annotate({
    description:
      "the number of days for which the data, path, key and client of rejected calls are kept, 0 to 90, and 7 by default; 0 keeps none",
  }),
  records_max: Schema.NullOr(RecordsMax).annotate({
    description:
      "the largest number of people, objects, forms, deliveries, and identifiers of unknown people that are stored; null if unlimited",
  }),
  kafka: Schema.NullOr(Schema.Struct({ topic: KafkaTopic })).annotate({
    description: "the Kafka topic to which the workspace's activity log is copied; null if it is not copied",
  }),
}

export const WorkspaceDocument = Schema.Struct({
  environment_id: WorkspaceId,
  ...settings,
  lake: Schema.NullOr(LakeSettingsDocument),
  alerts: AlertsDocument,
  limits: LimitsDocument,
}).annotate({
  identifier: "Workspace",
  description: "a tenant and its settings; its data is separate from every other workspace",
})
export type WorkspaceDocument = typeof WorkspaceDocument.Type

/** The settings to change. A setting that is missing keeps its value. */
export const WorkspacePatch = Schema.Struct({
  ...settings,
  lake: Schema.NullOr(NewLakeSettings).annotate({
    description:
      "where the lake is written, or null to end it; only an admin of all workspaces can change it. A lake in another place begins anew.",
  }),
  alerts: AlertsDocument.mapFields(Struct.map(Schema.optionalKey)),
  limits: LimitsDocument.mapFields(Struct.map(Schema.optionalKey)),
})
  .mapFields(Struct.map(Schema.optionalKey))
  .annotate({
    identifier: "WorkspacePatch",
    description: "the settings of the workspace to change; a setting that is missing stays unchanged",
  })
export type WorkspacePatch = typeof WorkspacePatch.Type

const NewWorkspace = WorkspacePatch.mapFields(Struct.omit(["lake"]))
  .mapFields(Struct.assign({ name: Name }))
  .annotate({
    identifier: "NewWorkspace",
    description: "the name of the new workspace, and the settings that differ from the defaults",
  })

const UsageOfList = Schema.Struct({
  items: Schema.Int,
  /** The size of all items as JSON, in bytes. */
  bytes: Schema.Int,
  /**
   * True if every item was read. False if the list has many items, and their number and size are estimated from a
   * sample.
   */
  exact: Schema.Boolean,
})

export const UsageDocument = Schema.Struct({
  /** The number of people, objects, forms, deliveries, and identifiers of unknown people. `records_max` limits it. */
  records: Schema.Int,
  activity: UsageOfList,
  people: UsageOfList,
  objects: UsageOfList,
  bytes: Schema.Int,
}).annotate({
  identifier: "Usage",
  description:
    "the number of records of a workspace, and the space that its documents need in JSON; an estimate from samples if `exact` is false",
})
export type UsageDocument = typeof UsageDocument.Type

export class WorkspacesGroup extends HttpApiGroup.make("workspaces")
  .add(
    HttpApiEndpoint.get("list", "/workspaces", {
      query: pageQuery(WorkspaceCursor),
      success: Page(WorkspaceDocument, WorkspaceCursor),
    }).annotate(Requirement, readsOwn),
    HttpApiEndpoint.post("create", "/workspaces", {
      payload: NewWorkspace,
      success: WorkspaceDocument.pipe(HttpApiSchema.status(201)),
      error: Conflict,
    }).annotate(Requirement, administersAll("workspace.create")),
    HttpApiEndpoint.get("get", "/workspaces/:w", {
      params: { w: WorkspaceId },
      success: WorkspaceDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.get("usage", "/workspaces/:w/usage", {
      params: { w: WorkspaceId },
      success: UsageDocument,
    }).annotate(Requirement, reads),
    HttpApiEndpoint.delete("delete", "/workspaces/:w", {
      params: { w: WorkspaceId },
      query: {
        name: Schema.String.annotate({
          description: "the name of the workspace, which confirms that the right one is deleted",
        }),
      },
      error: Conflict,
    }).annotate(Requirement, administersAll("workspace.delete")),
    HttpApiEndpoint.patch("update", "/workspaces/:w", {
      params: { w: WorkspaceId },
      payload: WorkspacePatch,
      success: WorkspaceDocument,
      error: [Conflict, Unprocessable],
    }).annotate(Requirement, administers("workspace.update")),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Workspaces" })) {}

/** Returns a workspace's settings with the changes of a patch, apart from the lake, whose secret has to be encrypted. */
export const patched = (
  current: Omit<Workspace, "id">,
  patch: Omit<WorkspacePatch, "lake">,
): Omit<Workspace, "id"> => ({
  name: patch.name ?? current.name,
  region: patch.region ?? current.region,
  identifiers:
    patch.identifiers === undefined
      ? current.identifiers
      : { id: patch.identifiers.includes("id"), email: patch.identifiers.includes("email") },
  emailUpdateById: patch.email_update_by_id ?? current.emailUpdateById,
  eventMerging: patch.event_merging ?? current.eventMerging,
  placeholderIds: patch.placeholder_ids ?? current.placeholderIds,
  context: patch.context ?? current.context,
  omit: patch.omit ?? current.omit,
  bots: patch.bots ?? current.bots,
  ip: patch.ip ?? current.ip,
  plan: current.plan,
  unknownEvents: patch.unknown_events ?? current.unknownEvents,
  rateLimit: patch.rate_limit ?? current.rateLimit,
  retentionDays: patch.retention_days === undefined ? current.retentionDays : patch.retention_days,
  auditDays: patch.audit_days ?? current.auditDays,
  historyDays: patch.history_days ?? current.historyDays,
  rejectedDays: patch.rejected_days ?? current.rejectedDays,
  alerts: alertsOf({ ...alertsDocument(current.alerts), ...patch.alerts }),
  recordsMax: patch.records_max === undefined ? current.recordsMax : patch.records_max,
  kafka: patch.kafka === undefined ? current.kafka : patch.kafka,
  lake: current.lake,
  limits: limitsOf({ ...limitsDocument(current.limits), ...patch.limits }),
})

export const workspaceDocument = (workspace: Workspace): WorkspaceDocument => ({
  environment_id: workspace.id,
  name: workspace.name,
  region: workspace.region,
  identifiers: [
    ...(workspace.identifiers.id ? (["id"] as const) : []),
    ...(workspace.identifiers.email ? (["email"] as const) : []),
  ],
  email_update_by_id: workspace.emailUpdateById,
  event_merging: workspace.eventMerging,
  placeholder_ids: workspace.placeholderIds,
  context: workspace.context,
  omit: workspace.omit,
  bots: workspace.bots,
  ip: workspace.ip,
  unknown_events: workspace.unknownEvents,
  rate_limit: workspace.rateLimit,
  retention_days: workspace.retentionDays,
  audit_days: workspace.auditDays,
  history_days: workspace.historyDays,
  rejected_days: workspace.rejectedDays,
  alerts: alertsDocument(workspace.alerts),
  records_max: workspace.recordsMax,
  kafka: workspace.kafka,
  lake: workspace.lake === null ? null : lakeSettingsDocument(workspace.lake),
  limits: limitsDocument(workspace.limits),
})
