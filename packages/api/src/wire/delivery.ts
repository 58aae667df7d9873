import type { ReportMetric, UnsubscribeByDelivery } from "@inlet/core/delivery/commands"
import { DeliveryMetric } from "@inlet/core/state/Delivery"
import { isJsonObject, type Json } from "@inlet/core/values/Json"
import { foreignIdBytesMax } from "@inlet/core/workspace/Limits"
import type { Fault } from "@inlet/core/log/Outcome"
import { Result } from "effect"
import { envelope, type EnvelopeOptions } from "./envelope.ts"
import { noFindings, type Findings } from "./Findings.ts"
import type { Receipt } from "./Receipt.ts"
import { notAnObject } from "./reject.ts"
import { isAbsent, optionalText, required, requiredText, type Given } from "./texts.ts"
import { valueFaults } from "./faults.ts"

/** Where a request holds what it reports of a message. */
export interface ReportSource {
  readonly deliveryId: Given
  readonly metric: Given
  readonly recipient?: Given
  readonly reason?: Given
  readonly href?: Given
  readonly deviceToken?: Given
  readonly actionName?: Given
  readonly actionValue?: Given
}

/** What a request reports of a message. */
export type ReportParts = Pick<
  ReportMetric,
  "deliveryId" | "metric" | "recipient" | "reason" | "href" | "deviceToken" | "actionName" | "actionValue"
>

/** What can be reported of any message (contract §11). */
export const deliveryMetrics = DeliveryMetric.literals

/** What the older operation for push messages takes. */
export const pushMetrics = ["opened", "converted", "delivered"] as const

/** Reads a report about a message (track-api §2.6, contract §11); null where it names no delivery or no metric. */
export const readReport = (
  source: ReportSource,
  metrics: ReadonlyArray<DeliveryMetric>,
  findings: Findings,
): ReportParts | null => {
  const optional = (given: Given | undefined, bytesMax = Infinity) =>
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
  { field, value }: Given,
  metrics: ReadonlyArray<DeliveryMetric>,
  { violations }: Findings,
): DeliveryMetric | null => {
  const metric = metrics.find((known) => known === value)
  if (metric !== undefined) return metric
  violations.push(
    isAbsent(value) ? required(field) : valueFaults.notOneOf(field, { values: metrics.join(", ") }),
  )
  return null
}

/** The command that takes a report about a message. */
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

/** What an unsubscribe asks for. */
export type UnsubscribeParts = Pick<UnsubscribeByDelivery, "deliveryId" | "unsubscribe">

/**
 * Reads an unsubscribe before it is known for which workspace (track-api §4.3, contract §11): the delivery is named by the
 * path, or else in the body, which may be left out.
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

/** Absent means true. What cannot be told is refused: somebody would be written to against their will. */
const readSwitch = (value: Json | undefined, { violations }: Findings): boolean | null => {
  if (isAbsent(value)) return true
  const known = switches.get(typeof value === "string" ? value.toLowerCase() : value)
  if (known !== undefined) return known
  violations.push(valueFaults.notBoolean("unsubscribe"))
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
