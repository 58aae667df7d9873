import { Schema } from "effect"
import { AlertSettings, defaultAlertSettings } from "../alert/AlertSettings.ts"
import { WorkspaceId } from "../values/Identifier.ts"
import { LakeSettings } from "./LakeSettings.ts"
import { defaultLimits, Limits } from "./Limits.ts"
import { OmitPaths } from "./OmitPath.ts"
import { PlanText, UnknownEvents } from "../plan/Plan.ts"

const retentionDaysMin = 30
const retentionDaysMax = 36_500

/**
 * The number of days for which a workspace stores events after their receipt. At least 30, because deduplication keys
 * and the events of visitors are needed for that long.
 */
export const RetentionDays = Schema.Int.check(
  Schema.isBetween({ minimum: retentionDaysMin, maximum: retentionDaysMax }),
)

/** The number of days for which the audit log keeps the records of a workspace. */
export const AuditDays = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3650 }))

export const auditDaysDefault = 365

/**
 * The largest number of records (people, objects, forms, deliveries, and `id`s and emails known only from events) that
 * a workspace stores.
 */
export const RecordsMax = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 }))

export const historyDaysDefault = 30

/**
 * The number of days for which a workspace keeps entries of its activity log that are not events, and can show people as
 * they were. At least 30, because deduplication keys are needed for that long.
 */
export const HistoryDays = Schema.Int.check(
  Schema.isBetween({ minimum: retentionDaysMin, maximum: retentionDaysMax }),
)

/** Returns the number of days of history: not more than events are kept. */
export const daysOfHistory = ({
  historyDays,
  retentionDays,
}: Pick<Workspace, "historyDays" | "retentionDays">): number =>
  Math.min(historyDays, retentionDays ?? Infinity)

export const rejectedDaysDefault = 7

/** The number of days for which a workspace keeps what was sent in rejected calls; 0 keeps nothing. */
export const RejectedDays = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 90 }))

/** Returns the number of days for which rejected calls are kept: not longer than the events of the workspace. */
export const daysOfRejected = ({
  rejectedDays,
  retentionDays,
}: Pick<Workspace, "rejectedDays" | "retentionDays">): number =>
  Math.min(rejectedDays, retentionDays ?? Infinity)

export const Region = Schema.Literals(["us", "eu"])
export type Region = typeof Region.Type

/** A tenant with its own people, activity and keys. */
export const Workspace = Schema.Struct({
  id: WorkspaceId,
  name: Schema.NonEmptyString,
  region: Region,
  /** The kinds of identifier that identify people in this workspace (contract §6). */
  identifiers: Schema.Struct({ id: Schema.Boolean, email: Schema.Boolean }),
  /** Whether the email of a person addressed by `id` may be changed. */
  emailUpdateById: Schema.Boolean,
  /** Whether a person receives the events of the anonymous visitor they are identified with (contract §7). */
  eventMerging: Schema.Boolean,
  /** What becomes of calls whose identifier is a placeholder: their entries say so, or they are rejected (contract §6). */
  placeholderIds: Schema.Literals(["mark", "reject"]),
  /** Whether entries keep the context of Pipelines calls, and the place of their address (contract §13 *context*). */
  context: Schema.Literals(["keep", "off"]),
  /** What is taken out of calls before anything of them is stored (contract §13 *omit*). */
  omit: OmitPaths,
  /** What becomes of calls whose user agent is that of a bot: their entries say so, or they are ignored (contract §13 *bots*). */
  bots: Schema.Literals(["mark", "ignore"]),
  /** What is kept of the addresses of clients: nothing, their networks, or all of them (contract §13 *addresses*). */
  ip: Schema.Literals(["drop", "truncate", "keep"]),
  /** What events and attributes should be; null if the workspace has no plans (contract §8 *plans*). */
  plan: Schema.NullOr(PlanText),
  /** What becomes of events whose name has no plan. */
  unknownEvents: UnknownEvents,
  rateLimit: Schema.Literals(["observe", "throttle"]),
  /** The Kafka topic to which the workspace's activity log is copied; null if it is not copied. */
  kafka: Schema.NullOr(Schema.Struct({ topic: Schema.String })),
  /** Where the lake is written; null if there is none. */
  lake: Schema.NullOr(LakeSettings),
  /** The days for which events are stored; null if they are stored for ever. */
  retentionDays: Schema.NullOr(RetentionDays),
  historyDays: HistoryDays,
  auditDays: AuditDays,
  rejectedDays: RejectedDays,
  alerts: AlertSettings,
  /** The largest number of records that are stored; null if their number is not limited (contract §5). */
  recordsMax: Schema.NullOr(RecordsMax),
  limits: Limits,
})
export type Workspace = typeof Workspace.Type

export const isSameWorkspace: (one: Workspace, other: Workspace) => boolean = Schema.toEquivalence(Workspace)

/** Returns the settings of a new workspace. */
export const defaultSettings = (name: string, region: Region): Omit<Workspace, "id"> => ({
  name,
  region,
  identifiers: { id: true, email: true },
  emailUpdateById: false,
  eventMerging: true,
  placeholderIds: "mark",
  context: "keep",
  omit: [],
  bots: "mark",
  ip: "truncate",
  plan: null,
  unknownEvents: "allow",
  rateLimit: "observe",
  kafka: null,
  lake: null,
  retentionDays: null,
  historyDays: historyDaysDefault,
  auditDays: auditDaysDefault,
  rejectedDays: rejectedDaysDefault,
  alerts: defaultAlertSettings,
  recordsMax: null,
  limits: defaultLimits,
})

/** The defaults of settings that did not exist from the first. */
const laterSettings: Partial<Workspace> = {
  kafka: null,
  lake: null,
  retentionDays: null,
  recordsMax: null,
  placeholderIds: "mark",
  context: "keep",
  omit: [],
  bots: "mark",
  ip: "truncate",
  plan: null,
  unknownEvents: "allow",
  historyDays: historyDaysDefault,
  auditDays: auditDaysDefault,
  rejectedDays: rejectedDaysDefault,
  alerts: defaultAlertSettings,
}

/** Gives their defaults to the settings and limits that did not exist when an older build wrote a workspace. */
export const withLaterSettings = (written: {
  readonly limits?: unknown
}): Readonly<Record<string, unknown>> => ({
  ...laterSettings,
  ...written,
  limits: { ...defaultLimits, ...(typeof written.limits === "object" ? written.limits : {}) },
})
