import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { ReportMetric, UnsubscribeByDelivery } from "@inlethq/core/delivery/commands"
import type { DeliveryMetric } from "@inlethq/core/state/Delivery"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import { Result } from "effect"
import {
  deliveryMetrics,
  pushMetrics,
  readReport,
  readUnsubscribe,
  reportMetric,
  type ReportSource,
} from "../decoding/delivery.ts"
import { envelope } from "../decoding/envelope.ts"
import { noFindings } from "../decoding/Findings.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { notAnObject, reject } from "../decoding/reject.ts"
import type { FieldValue } from "../decoding/fieldValues.ts"
import { readEventTime } from "../decoding/timestamps.ts"

/** Decodes POST `/metrics` (track-api §2.6, §4.3 rule 5). */
export const decodeMetric = (receipt: Receipt, body: unknown): Result.Result<ReportMetric, RejectOperation> =>
  decodeReport(receipt, body, deliveryMetrics, (given) => ({
    deliveryId: given("delivery_id"),
    metric: given("metric"),
    recipient: given("recipient"),
    reason: given("reason"),
    href: given("href"),
    actionName: given("metadata", "action_name"),
    actionValue: given("metadata", "action_value"),
  }))

/** Decodes POST `/push/events` (track-api §2.6, §4.3 rule 6). */
export const decodePushMetric = (
  receipt: Receipt,
  body: unknown,
): Result.Result<ReportMetric, RejectOperation> =>
  decodeReport(receipt, body, pushMetrics, (given) => ({
    deliveryId: given("delivery_id"),
    metric: given("event"),
    deviceToken: given("device_id"),
  }))

const decodeReport = (
  receipt: Receipt,
  body: unknown,
  metrics: ReadonlyArray<DeliveryMetric>,
  sourceOf: (given: (field: string, key?: string) => FieldValue) => ReportSource,
): Result.Result<ReportMetric, RejectOperation> => {
  if (!isJsonObject(body)) return Result.fail(reject(receipt, "delivery_metric", [notAnObject()]))
  const findings = noFindings()
  const report = readReport(
    sourceOf((field, key) =>
      key === undefined
        ? { field, value: body[field] }
        : { field: `${field}.${key}`, value: keyOf(body[field], key) },
    ),
    metrics,
    findings,
  )
  const at = readEventTime(receipt, { field: "timestamp", value: body["timestamp"] }, findings.faults)
  return report === null || findings.violations.length > 0
    ? Result.fail(reject(receipt, "delivery_metric", findings.violations))
    : Result.succeed(reportMetric(receipt, report, { at, faults: findings.faults }))
}

const keyOf = (object: Json | undefined, key: string): Json | undefined =>
  isJsonObject(object) ? object[key] : undefined

/**
 * Decodes POST `/unsubscribe/{delivery_id}` and `/unsubscribe` (contract §11). `pathDeliveryId` is the decoded path
 * segment, or null for `/unsubscribe`. `body` is undefined if the request has no body.
 */
export const decodeUnsubscribe = (
  receipt: Receipt,
  pathDeliveryId: string | null,
  body: unknown,
): Result.Result<UnsubscribeByDelivery, RejectOperation> => {
  const read = readUnsubscribe(pathDeliveryId, body)
  if (Result.isFailure(read)) return Result.fail(reject(receipt, "unsubscribe", read.failure))
  const { deliveryId, unsubscribe } = read.success
  return Result.succeed({ ...envelope("UnsubscribeByDelivery", receipt), deliveryId, unsubscribe })
}
