import type { ReportMetric, UnsubscribeByDelivery } from "@inlethq/core/delivery/commands"
import { DeliveryMetric } from "@inlethq/core/state/Delivery"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { foreignIdBytesMax } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { envelope, type EnvelopeOptions } from "./envelope.ts"
import { noFindings, type Findings } from "./Findings.ts"
import type { Receipt } from "./Receipt.ts"
import { notAnObject } from "./reject.ts"
import { isAbsent, optionalText, required, requiredText, type FieldValue } from "./fieldValues.ts"
import { valueTexts } from "../texts/wireTexts.ts"

/** The fields of a request that reports an event of a message, such as `delivered` or `opened`. */
export interface ReportSource {
  readonly deliveryId: FieldValue
  readonly metric: FieldValue
  readonly recipient?: FieldValue
  readonly reason?: FieldValue
  readonly href?: FieldValue
  readonly deviceToken?: FieldValue
  readonly actionName?: FieldValue
  readonly actionValue?: FieldValue
}

/** The decoded report on a message. */
export type ReportParts = Pick<
  ReportMetric,
  "deliveryId" | "metric" | "recipient" | "reason" | "href" | "deviceToken" | "actionName" | "actionValue"
>

/** The metrics of a message in any channel (contract §11). */
export const deliveryMetrics = DeliveryMetric.literals

/** The metrics that `/push/events` accepts. */
export const pushMetrics = ["opened", "converted", "delivered"] as const

/**
 * Reads a report on a message (track-api §2.6, contract §11). Returns null if the delivery id or the metric is missing
 * or invalid.
 */
export const readReport = (
  source: ReportSource,
  metrics: ReadonlyArray<DeliveryMetric>,
  findings: Findings,
): ReportParts | null => {
  const optional = (given: FieldValue | undefined, bytesMax = Infinity) =>
    given === undefined ? null : optionalText(given, bytesMax, findings)
  const deliveryId = requiredText(source.deliveryId, foreignIdBytesMax, findings)
  const metric = readMetric(source.metric, metrics, findings)
  const recipient = optional(source.recipient)
  const reason = optional(source.reason)
  const href = optional(source.href)
  const deviceToken = optional(source.deviceToken, foreignIdBytesMax)
  const actionName = optional(source.actionName)
  const actionValue = optional(source.actionValue)
  return deliveryId === null || metric === null
    ? null
    : { deliveryId, metric, recipient, reason, href, deviceToken, actionName, actionValue }
}

const readMetric = (
  { field, value }: FieldValue,
  metrics: ReadonlyArray<DeliveryMetric>,
  { violations }: Findings,
): DeliveryMetric | null => {
  const metric = metrics.find((known) => known === value)
  if (metric !== undefined) return metric
  violations.push(
    isAbsent(value) ? required(field) : valueTexts.notOneOf(field, { values: metrics.join(", ") }),
  )
  return null
}

/** Builds the command that records a report on a message. */
export const reportMetric = (
  receipt: Receipt,
  { actionName, actionValue, deliveryId, deviceToken, href, metric, reason, recipient }: ReportParts,
  options?: EnvelopeOptions,
): ReportMetric => ({
  ...envelope("ReportMetric", receipt, options),
  deliveryId,
  metric,
  recipient,
  reason,
  href,
  deviceToken,
  actionName,
  actionValue,
})

/** A decoded unsubscribe request. */
export type UnsubscribeParts = Pick<UnsubscribeByDelivery, "deliveryId" | "unsubscribe">

/**
 * Reads an unsubscribe (track-api §4.3, contract §11). The delivery id comes from the path, or from the body if the
 * path has no delivery id. The body is optional. Decoding does not depend on a workspace, because an unsubscribe
 * without credentials finds its workspace by the delivery id.
 */
export const readUnsubscribe = (
  pathDeliveryId: string | null,
  body: unknown,
): Result.Result<UnsubscribeParts, ReadonlyArray<Fault>> => {
  if (body !== undefined && !isJsonObject(body)) return Result.fail([notAnObject()])
  const findings = noFindings()
  const value = isAbsent(pathDeliveryId) ? body?.["delivery_id"] : pathDeliveryId
  const deliveryId = requiredText({ field: "delivery_id", value }, foreignIdBytesMax, findings)
  const unsubscribe = readSwitch(body?.["unsubscribe"], findings)
  return deliveryId === null || unsubscribe === null
    ? Result.fail(findings.violations)
    : Result.succeed({ deliveryId, unsubscribe })
}

/**
 * Reads a boolean in any common spelling. A missing value means true. A value that cannot be read is refused, because a
 * wrong guess could send messages to a person who unsubscribed.
 */
const readSwitch = (value: Json | undefined, { violations }: Findings): boolean | null => {
  if (isAbsent(value)) return true
  const known = switches.get(typeof value === "string" ? value.toLowerCase() : value)
  if (known !== undefined) return known
  violations.push(valueTexts.notBoolean("unsubscribe"))
  return null
}

const switches: ReadonlyMap<Json, boolean> = new Map<Json, boolean>([
  [true, true],
  [1, true],
  ["1", true],
  ["true", true],
  [false, false],
  [0, false],
  ["0", false],
  ["false", false],
])
