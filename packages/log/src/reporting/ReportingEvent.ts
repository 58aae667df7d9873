import { Channel } from "@inlethq/core/state/Delivery"
import type { JsonObject } from "@inlethq/core/values/Json"

/** The `object_type` of reporting events about a message with an unknown channel. */
export const unknownChannel = "unknown"

/** The subject of a reporting event: a message of a channel, a person, or segments by rule (contract §17). */
export type ReportingObject = Channel | typeof unknownChannel | "customer" | "segment"

/** The JSON body of a reporting event (contract §17). */
export interface ReportingEvent {
  readonly metric: string
  readonly event_id: string
  readonly object_type: ReportingObject
  /** Unix seconds. */
  readonly timestamp: number
  readonly data: JsonObject
}

/**
 * The metrics of the hosted service's reporting webhooks, by `object_type`. Webhook settings may contain all of them,
 * but Inlet never sends some of them. The hosted service has no events about segments.
 */
const hostedMetrics: Readonly<Record<ReportingObject, string>> = {
  customer: "subscribed unsubscribed cio_subscription_preferences_changed",
  email:
    "drafted attempted sent delivered opened clicked converted unsubscribed bounced dropped spammed failed undeliverable",
  push: "drafted attempted sent delivered opened clicked converted bounced dropped failed undeliverable",
  sms: "drafted attempted sent delivered clicked converted bounced failed undeliverable replied",
  whatsapp:
    "drafted attempted sent delivered clicked converted bounced failed undeliverable replied opened dropped",
  slack: "drafted attempted sent clicked failed undeliverable",
  webhook: "drafted attempted sent clicked failed undeliverable",
  in_app: "drafted attempted sent opened clicked converted failed undeliverable",
  unknown: "",
  segment: "",
}

/** The metrics that clients can report for messages of every channel, as reporting webhooks name the metrics. */
const messageMetrics = "attempted bounced clicked converted delivered dropped opened spammed unsubscribed"

/** Returns the name by which webhook settings refer to an event, such as `email_opened`. */
export const eventName = ({ metric, object_type }: Pick<ReportingEvent, "metric" | "object_type">): string =>
  `${object_type}_${metric}`

const reportedMetrics = (object: ReportingObject): string => {
  if (object === "customer") return ""
  return object === "segment" ? "entered left" : messageMetrics
}

const objects: ReadonlyArray<ReportingObject> = [...Channel.literals, unknownChannel, "customer", "segment"]

/** All event names that the settings of a webhook may contain. */
export const eventNames: ReadonlySet<string> = new Set(
  objects.flatMap((object_type) => {
    const metrics = `${hostedMetrics[object_type]} ${reportedMetrics(object_type)}`
      .split(" ")
      .filter((metric) => metric !== "")
    return metrics.map((metric) => eventName({ object_type, metric }))
  }),
)
