import { toActivityView, type ActivityRecord, type ActivityView } from "@inlethq/core/catalog/ActivityView"
import { isEventKind, objectKinds, type ActivityKind } from "@inlethq/core/log/ActivityEntry"
import { type FieldChange, tookEffect } from "@inlethq/core/log/Outcome"
import { Channel, DeliveryMetric } from "@inlethq/core/state/Delivery"
import { reportNamed } from "@inlethq/core/state/metricEventNames"
import type { Person } from "@inlethq/core/state/Person"
import { operationIdText } from "@inlethq/core/values/Identifier"
import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"
import { isGone } from "@inlethq/log/call/NamesReader"
import { svcIdOf } from "@inlethq/log/documents/activityDocument"
import { pathInBrand } from "@inlethq/wire/texts/WrittenBrand"
import { asText, identifiersOf, seconds } from "./customerDocuments.ts"
import { messageType } from "./messages.ts"

/** An entry of the log as an activity of the App API. */
export interface Activity {
  readonly type: string
  readonly view: ActivityView
  readonly record: ActivityRecord
}

/**
 * Returns an entry as an activity, or undefined if the hosted service has no activity of this kind. `about` is the person whose
 * activities are read: to them, an operation about an object is a relationship.
 */
export const activityOf = (record: ActivityRecord, about: Person | null): Activity | undefined => {
  const view = toActivityView(record)
  const type = tookEffect(view.outcome) ? typeOf(view) : failedTypeOf(view)
  if (type === undefined) return undefined
  if (about === null || !isAboutObject(view)) return { type, view, record }
  return { type: "add_relationship", view: { ...view, person: about }, record }
}

const isAboutObject = ({ kind }: ActivityView): boolean => objectKinds.some((known) => known === kind)

const attributePath = "attributes."

/** Returns the changes of attributes and identifiers, whose names the hosted service writes as they are. */
const attributeChanges = ({ changes }: ActivityView): ReadonlyArray<FieldChange> =>
  changes.flatMap((change) => {
    const { path } = change
    if (path.startsWith(attributePath)) {
      return [{ ...change, path: pathInBrand("cio", path).slice(attributePath.length) }]
    }
    return ["id", "email"].includes(path) || path.startsWith("svc_subscription_preferences")
      ? [{ ...change, path: pathInBrand("cio", path) }]
      : []
  })

const typeOf = (view: ActivityView): string | undefined => {
  const { changes, kind, knownAs, outcome } = view
  switch (kind) {
    case "identify":
    case "form_submission":
      if (outcome === "created") return "profile_create"
      return attributeChanges(view).length > 0 || changes.length > 0 ? "attribute_change" : "skipped_update"
    case "delete":
    case "suppress":
      return "profile_delete"
    case "merge":
      return "profile_merge"
    case "event":
    case "anonymous_event":
      return "event"
    case "page":
    case "screen":
      return kind
    case "add_relationships":
      return "add_relationship"
    case "delete_relationships":
      return "delete_relationship"
    case "add_device":
    case "delete_device":
      return "device_change"
    case "object_identify":
      return `_o:${knownAs.objectTypeId ?? ""}:${outcome === "created" ? "create" : "attribute_change"}`
    case "object_delete":
      return `_o:${typeIdIn(view.data) ?? knownAs.objectTypeId ?? ""}:delete`
    case "delivery_metric":
      return reportType(view)
    case "unsubscribe":
      return "unsubscribed_email"
    case "unsuppress":
    case "unmerge":
    case "segment_add":
    case "segment_remove":
    case "segment_change":
    case null:
      return undefined
  }
}

const typeIdIn = (data: Json): string | undefined => {
  const id = isJsonObject(data) ? data["object_type_id"] : undefined
  return typeof id === "string" ? id : undefined
}

const reportType = ({ name }: ActivityView): string | undefined => {
  const report = reportNamed(name ?? "")
  return report === undefined
    ? undefined
    : `${report.metric}_${report.channel === null ? "action" : messageType(report.channel)}`
}

const failedTypeOf = ({ kind, outcome }: ActivityView): string | undefined => {
  if (outcome === "duplicate") return undefined
  if (kind === "identify") return "failed_attribute_change"
  return isEventKind(kind) ? "failed_event" : undefined
}

/** Returns the kinds of entry that have activities of a type, or undefined if none has. */
export const kindsOf = (type: string): ReadonlyArray<ActivityKind> | undefined => {
  const known: Readonly<Record<string, ReadonlyArray<ActivityKind>>> = {
    profile_create: ["identify", "form_submission"],
    attribute_change: ["identify", "form_submission"],
    skipped_update: ["identify", "form_submission"],
    failed_attribute_change: ["identify"],
    profile_delete: ["delete", "suppress"],
    profile_merge: ["merge"],
    event: ["event", "anonymous_event"],
    failed_event: ["event", "page", "screen", "anonymous_event"],
    page: ["page"],
    screen: ["screen"],
    add_relationship: ["add_relationships", "object_identify"],
    delete_relationship: ["delete_relationships"],
    device_change: ["add_device", "delete_device"],
    unsubscribed_email: ["unsubscribe"],
  }
  if (Object.hasOwn(known, type)) return known[type]
  if (/^_o:.+:(?:create|attribute_change)$/.test(type)) return ["object_identify"]
  if (/^_o:.+:delete$/.test(type)) return ["object_delete"]
  return reportTypes.has(type) ? ["delivery_metric"] : undefined
}

const reportTypes: ReadonlySet<string> = new Set(
  DeliveryMetric.literals.flatMap((metric) => [
    `${metric}_action`,
    ...Channel.literals.map((channel) => `${metric}_${messageType(channel)}`),
  ]),
)

/** Returns whether an activity is about an event or a change of an attribute with this name. */
export const isNamed = ({ view }: Activity, name: string): boolean =>
  view.name === name || attributeChanges(view).some(({ path }) => path === name)

/** Returns an activity as the App API shows it. */
export const activityDocument = (activity: Activity): JsonObject => {
  const { type, view } = activity
  return {
    id: operationIdText(view.workspace, view.sequence, view.batchIndex),
    type,
    timestamp: seconds(view.at),
    customer_id: view.person?.id ?? null,
    customer_identifiers: identifiersIn(activity),
    ...contentOf(type, view),
  }
}

/** Returns whether an activity is about somebody who was deleted. */
export const isOfDeleted = ({ record, type, view }: Activity): boolean =>
  type === "profile_delete" || (!isAboutObject(view) && isGone(record))

/** Returns who an activity is about. Of somebody who was deleted only the `cio_id` is known. */
const identifiersIn = ({ record, view }: Activity): JsonObject | null => {
  if (view.person !== null) return identifiersOf(view.person)
  const svcId = svcIdOf(record, null)
  return svcId === null ? null : { cio_id: svcId, email: null, id: null }
}

const contentOf = (type: string, view: ActivityView): JsonObject => {
  const { data, kind, name } = view
  if (kind === "page") return { url: urlOf(view), name, data }
  if (isEventKind(kind)) return { name, data }
  return kind === "delivery_metric" || kind === "unsubscribe"
    ? deliveryContent(data, type, view)
    : { data: changesDocument(view) }
}

const urlOf = ({ data, name }: ActivityView): string => {
  const url = isJsonObject(data) ? data["url"] : undefined
  return typeof url === "string" ? url : (name ?? "")
}

const deliveryContent = (data: Json, type: string, { at, name }: ActivityView): JsonObject => {
  const properties = isJsonObject(data) && isJsonObject(data["properties"]) ? data["properties"] : data
  const id = isJsonObject(properties) ? (properties["delivery_id"] ?? null) : null
  const metric = reportNamed(name ?? "")?.metric
  return {
    delivery_id: id,
    delivery_type: type.slice(type.indexOf("_") + 1),
    data: {
      delivery_id: id,
      opened: metric === "opened" ? true : null,
      delivered: metric === "delivered" ? seconds(at) : null,
    },
  }
}

const textOrNone = (value: Json): string => (value === null ? "" : asText(value))

const changesDocument = (view: ActivityView): JsonObject => {
  const changes = attributeChanges(view)
  if (changes.length === 0) {
    return Object.fromEntries(
      view.changes.map(({ from, path, to }) => [pathInBrand("cio", path), { from, to }]),
    )
  }
  return Object.fromEntries(
    changes.map(({ from, path, to }) => [path, { from: textOrNone(from), to: textOrNone(to) }]),
  )
}
