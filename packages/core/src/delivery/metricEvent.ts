import type { ReportMetric, UnsubscribeByDelivery } from "./commands.ts"
import { operationIdText, svcIdText, type Sequence } from "../values/Identifier.ts"
import type { Json, JsonObject } from "../values/Json.ts"
import type { Person } from "../state/Person.ts"
import { toIso } from "../values/Timestamp.ts"
import type { Delivery, DeliveryMetric } from "../state/Delivery.ts"

/**
 * Returns the path of the field change that records when a metric was first reported. The path contains the delivery's
 * id, so that reports about different deliveries of one person do not seem to replace each other.
 */
export const firstReportPath = (deliveryId: string, metric: DeliveryMetric): string =>
  `deliveries.${deliveryId}.metrics.${metric}.first_at`

/** The values that a metric event is built from. */
interface MetricEventParts {
  readonly event: string
  readonly delivery: Delivery | null
  /** The recipient; null if unknown. */
  readonly person: Person | null
  readonly sequence: Sequence
}

/** Returns the metric event for a reported metric of a message (pipelines-api §6.2). */
export const metricEvent = (
  command: ReportMetric | UnsubscribeByDelivery,
  parts: MetricEventParts,
): JsonObject => {
  const { event, person, sequence } = parts
  const { identifiers } = command.workspace
  const email = person?.email ?? null
  const received = toIso(command.receivedAt)
  return {
    type: "track",
    event,
    messageId: operationIdText(command.workspace.id, sequence, command.batchIndex),
    userId: personIdOf(person),
    anonymousId: identifiers.id && identifiers.email ? email : null,
    timestamp: toIso(command.at),
    originalTimestamp: toIso(command.originalTimestamp ?? command.at),
    sentAt: received,
    receivedAt: received,
    context: { traits: { email } },
    properties: propertiesOf(command, parts),
  }
}

/**
 * Returns the person's id, or the email if the person has no id, or the `svc_id` if the person has neither. Returns
 * null if `person` is null.
 */
const personIdOf = (person: Person | null): string | null =>
  person === null ? null : (person.id ?? person.email ?? svcIdText(person.workspace, person.key))

const propertiesOf = (
  command: ReportMetric | UnsubscribeByDelivery,
  { delivery, person }: MetricEventParts,
): JsonObject => {
  const report = command._tag === "ReportMetric" ? command : null
  const isGone = delivery !== null && delivery.person !== null && person === null
  const isEmail = delivery?.channel === "email"
  const properties: Array<readonly [string, Json]> = [
    ["delivery_id", command.deliveryId],
    ["customer_id", person?.id ?? null],
    ["userId", personIdOf(person)],
    [
      "recipient",
      report?.recipient ??
        (isGone ? null : delivery?.recipient) ??
        (isEmail ? (person?.email ?? null) : null),
    ],
    ...(delivery?.sources ?? []),
  ]
  if (isEmail) properties.push(["subject", isGone ? null : (delivery?.subject ?? null)])
  if (report !== null) properties.push(...ofMetric(report, isEmail))
  return Object.fromEntries(properties.filter(([, value]) => value !== null))
}

/** Returns the properties that only some metric events have, such as `href` (pipelines-api §6.2). */
const ofMetric = (
  { actionName, actionValue, deviceToken, href, metric, reason }: ReportMetric,
  isEmail: boolean,
): ReadonlyArray<readonly [string, Json]> => [
  ["href", href],
  ["device_id", deviceToken],
  ["action_name", actionName],
  ["action_value", actionValue],
  [metric === "bounced" ? "bounce_reason" : "reason", reason],
  ...(isEmail && metric === "opened"
    ? (["proxied", "prefetched", "synthetic"] as const).map((name) => [name, false] as const)
    : []),
]
