import type { ActivityRecord, ActivityView } from "@inlethq/core/catalog/ActivityView"
import { toActivityView } from "@inlethq/core/catalog/ActivityView"
import { firstReportPath } from "@inlethq/core/delivery/metricEvent"
import { reportNamed } from "@inlethq/core/state/metricEventNames"
import type { FieldChange } from "@inlethq/core/log/Outcome"
import { unsubscribedName } from "@inlethq/core/state/Attributes"
import { isTrue } from "@inlethq/core/values/flags"
import { SourceId, type Channel, type DeliveryMetric } from "@inlethq/core/state/Delivery"
import type { Person } from "@inlethq/core/state/Person"
import { isPreference, pathOf, preferencesName } from "@inlethq/core/state/preferenceBounds"
import { svcIdText } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { secondMs } from "@inlethq/core/values/Timestamp"
import { eventPosition } from "@inlethq/core/webhook/EventPosition"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { eventId } from "./eventId.ts"
import { unknownChannel, type ReportingEvent, type ReportingObject } from "./ReportingEvent.ts"

/** Settings and data that, together with a log entry, decide which reporting events the entry yields. */
export interface ReportingContext {
  readonly identifiers: Workspace["identifiers"]
  /** True if events about subscription preferences include the preferences. */
  readonly bodyContent: boolean
  /** True if a repeated report of the same metric on the same delivery yields no event. */
  readonly firstOnly: boolean
  /** The channel of the delivery in an unsubscribe, or null if the channel is unknown. */
  readonly unsubscribeChannel: Channel | null
}

/** The fields of a reporting event that depend on the kind of the log entry. */
type Report = Pick<ReportingEvent, "object_type" | "metric" | "data">

/**
 * Returns the reporting events that a log entry yields, in order (contract §17). A report on a delivery yields one
 * event. An unsubscribe by delivery yields one event. Any other entry yields an event if it changes whether a person is
 * unsubscribed, and another event if it changes the person's subscription preferences. If
 * people enter segments by their rules because of the entry, it yields one more event, and another if people leave. An
 * erased entry yields no event.
 */
export const reportingEvents = (
  record: ActivityRecord,
  context: ReportingContext,
): ReadonlyArray<ReportingEvent> => {
  if (record.isErased) return []
  const view = toActivityView(record)
  return [...reportsOf(view, context), ...segmentReports(view, context)].map(
    ({ data, metric, object_type }, index) => ({
      metric,
      event_id: eventId(view.receivedAt, view.workspace, eventPosition(view.sequence, index)),
      object_type,
      timestamp: Math.floor(view.at / secondMs),
      data,
    }),
  )
}

/** Returns the delivery id of an unsubscribe by delivery, or null for all other log entries. */
export const unsubscribedDelivery = ({ entry: { data, kind } }: ActivityRecord): string | null => {
  const id = kind === "unsubscribe" ? propertiesOf(data)["delivery_id"] : null
  return typeof id === "string" ? id : null
}

const reportsOf = (view: ActivityView, context: ReportingContext): ReadonlyArray<Report> => {
  const { kind, name } = view
  const report = kind === "delivery_metric" && name !== null ? reportNamed(name) : undefined
  if (report !== undefined) {
    const isLeftOut = context.firstOnly && !isFirstReport(view, report.metric)
    return isLeftOut ? [] : [metricReport(view, report.channel, report.metric, context)]
  }
  if (kind === "unsubscribe" && name !== null) return [unsubscribeReport(view, context)]
  return subscriptionReports(view, context)
}

const isFirstReport = ({ changes, data }: ActivityView, metric: DeliveryMetric): boolean => {
  const id = propertiesOf(data)["delivery_id"]
  if (typeof id !== "string") return false
  const path = firstReportPath(id, metric)
  return changes.some((change) => change.path === path && change.from === null)
}

/** The metrics for which the hosted service uses another name. */
const hostedNames: Partial<Record<DeliveryMetric, string>> = { deferred: "attempted" }

const metricReport = (
  view: ActivityView,
  channel: Channel | null,
  metric: DeliveryMetric,
  context: ReportingContext,
): Report => {
  const properties = propertiesOf(view.data)
  const isPush = channel === "push"
  return {
    object_type: channel ?? unknownChannel,
    metric: hostedNames[metric] ?? metric,
    data: {
      ...messageData(view, context),
      ...(isPush ? pushRecipients(view, properties) : given({ recipient: properties["recipient"] })),
      ...given({
        subject: properties["subject"],
        href: properties["href"],
        ...(isPush ? {} : { failure_message: properties["bounce_reason"] ?? properties["reason"] }),
        tracked_response: channel === "in_app" ? properties["action_name"] : undefined,
        action_name: properties["action_name"],
        action_value: properties["action_value"],
        proxied: properties["proxied"],
        prefetched: properties["prefetched"],
        synthetic: properties["synthetic"],
      }),
    },
  }
}

const unsubscribeReport = (view: ActivityView, context: ReportingContext): Report => {
  const { recipient, subject } = propertiesOf(view.data)
  return {
    object_type: context.unsubscribeChannel ?? unknownChannel,
    metric: "unsubscribed",
    data: { ...messageData(view, context), ...given({ recipient, subject }) },
  }
}

const subscriptionReports = (view: ActivityView, context: ReportingContext): ReadonlyArray<Report> => {
  const reports: Array<Report> = []
  const { changes, person } = view
  const unsubscribed = changes.find(({ path }) => path === unsubscribedName)
  if (unsubscribed !== undefined && isTrue(unsubscribed.from) !== isTrue(unsubscribed.to)) {
    reports.push(customer(isTrue(unsubscribed.to) ? "unsubscribed" : "subscribed", person, context))
  }
  const preferences = changes.filter(({ path }) => isPreference(path))
  if (preferences.length > 0) {
    const content = context.bodyContent ? { content: JSON.stringify(changedPreferences(preferences)) } : {}
    reports.push(customer("cio_subscription_preferences_changed", person, context, content))
  }
  return reports
}

/** Returns an event about all people who entered segments, and one about all who left. */
const segmentReports = (view: ActivityView, context: ReportingContext): ReadonlyArray<Report> =>
  (["entered", "left"] as const).flatMap((metric) => {
    const members = view.effects.filter(({ change }) => change === metric)
    if (members.length === 0) return []
    const data = {
      ...customerData(view.person, context),
      members: members.map(({ segment, subject, version }) => ({
        cio_id: svcIdText(view.workspace, subject),
        segment_id: segment,
        version,
      })),
    }
    return [{ object_type: "segment" as const, metric, data }]
  })

const customer = (
  metric: string,
  person: Person | null,
  context: ReportingContext,
  content: JsonObject = {},
): Report => ({
  object_type: "customer" satisfies ReportingObject,
  metric,
  data: {
    ...customerData(person, context),
    ...(context.identifiers.email ? { email_address: person?.email ?? null } : {}),
    ...content,
  },
})

/** Returns the subscription preferences that an operation set, as one object. Removed preferences are null. */
const changedPreferences = (changes: ReadonlyArray<FieldChange>): JsonObject => {
  let preferences: JsonObject = {}
  for (const { path, to } of changes) {
    const value = path === preferencesName ? to : nested(pathOf(path), to)
    if (isJsonObject(value)) preferences = mergedObjects(preferences, value)
  }
  return preferences
}

const nested = (path: ReadonlyArray<string>, value: Json): Json =>
  path.reduceRight<Json>((inner, key) => Object.fromEntries([[key, inner]]), value)

const mergedObjects = (a: JsonObject, b: JsonObject): JsonObject =>
  Object.fromEntries([
    ...Object.entries(a),
    ...Object.entries(b).map(([key, value]) => {
      const before = Object.hasOwn(a, key) ? a[key] : undefined
      const both = isJsonObject(before) && isJsonObject(value)
      return [key, both ? mergedObjects(before, value) : value] as const
    }),
  ])

/**
 * Returns the `data` that every reporting event has. `customer_id` is blank if the person is unknown, was deleted or
 * has no id.
 */
const customerData = (person: Person | null, { identifiers }: ReportingContext): JsonObject => {
  const id = person?.id ?? null
  return {
    customer_id: id ?? "",
    identifiers: identifiers.email
      ? {
          id,
          email: person?.email ?? null,
          cio_id: person === null ? null : svcIdText(person.workspace, person.key),
        }
      : { id },
  }
}

/**
 * Returns the `data` that every reporting event about a message has: the person, the delivery, and the ids of the
 * campaign, broadcast or other source of the message.
 */
const messageData = ({ data, person }: ActivityView, context: ReportingContext): JsonObject => {
  const properties = propertiesOf(data)
  return {
    ...customerData(person, context),
    delivery_id: properties["delivery_id"] ?? null,
    ...given(Object.fromEntries(SourceId.literals.map((name) => [name, properties[name]]))),
  }
}

const pushRecipients = ({ person }: ActivityView, properties: JsonObject): JsonObject => {
  const token = properties["device_id"] ?? properties["recipient"]
  if (typeof token !== "string") return {}
  const platform = person?.devices.get(token)?.platform
  const failure = properties["bounce_reason"] ?? properties["reason"]
  return {
    recipients: [{ device_id: token, ...given({ device_platform: platform, failure_message: failure }) }],
  }
}

const propertiesOf = (data: Json): JsonObject => {
  const properties = isJsonObject(data) ? data["properties"] : undefined
  return isJsonObject(properties) ? properties : {}
}

const given = (values: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      value === undefined || value === null ? [] : [[key, value]],
    ),
  )
