import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { deliveryMetrics, readReport, reportMetric } from "../decoding/delivery.ts"
import { noFindings, type Findings } from "../decoding/Findings.ts"
import { reject } from "../decoding/reject.ts"
import { isAbsent, isEmptyArray, required, type FieldValue } from "../decoding/fieldValues.ts"
import { readEventTime } from "../decoding/timestamps.ts"
import { dataOf, type Decode } from "./item.ts"
import { valueTexts } from "../texts/wireTexts.ts"

/** Decodes the `event` action of a delivery, which reports on a message (contract §11). */
export const decodeReport: Decode = (receipt, item) => {
  const findings = noFindings()
  const identifiers = { field: "identifiers", value: item["identifiers"] }
  if (isAbsent(identifiers.value)) findings.violations.push(required("identifiers"))
  const named = readObject(identifiers, findings)
  const data = dataOf(item)
  const told = isEmptyArray(data.value) ? undefined : readObject(data, findings)
  const attribute = (key: string): FieldValue => ({ field: `${data.field}.${key}`, value: told?.[key] })
  const at = readEventTime(receipt, { field: "timestamp", value: item["timestamp"] }, findings.faults)
  const report =
    named === undefined
      ? null
      : readReport(
          {
            deliveryId: { field: "identifiers.id", value: named["id"] },
            metric: { field: "name", value: item["name"] },
            recipient: attribute("recipient"),
            reason: attribute("reason"),
            href: attribute("href"),
            deviceToken: attribute("device_token"),
          },
          deliveryMetrics,
          findings,
        )
  return report === null || findings.violations.length > 0
    ? Result.fail(reject(receipt, "delivery_metric", findings.violations))
    : Result.succeed(reportMetric(receipt, report, { at, faults: findings.faults }))
}

const readObject = ({ field, value }: FieldValue, { violations }: Findings): JsonObject | undefined => {
  if (isJsonObject(value)) return value
  if (!isAbsent(value)) violations.push(valueTexts.notObject(field))
  return undefined
}
