import { Result } from "effect"
import type { Json } from "@inlethq/core/values/Json"
import {
  addDevice,
  deleteDevice,
  readDevice,
  readToken,
  trackDevice,
  type DeviceParts,
} from "../decoding/device.ts"
import { noFindings, type Findings } from "../decoding/Findings.ts"
import { reject } from "../decoding/reject.ts"
import { addressOf, orderOf, type Decode } from "./item.ts"
import { resourceTexts } from "../texts/wireTexts.ts"

/** Decodes the `add_device` action of a person (track-api §2.4, §4.2). */
export const decodeAddDevice: Decode = (receipt, item) => {
  const findings = noFindings()
  const address = addressOf(receipt, item, true)
  if (Result.isFailure(address)) findings.violations.push(...address.failure)
  const source = trackDevice({ field: "device", value: item["device"] }, "token", findings)
  const device = source === null ? null : readDevice(receipt, source, findings)
  if (device !== null) checkLastStatus(device, findings)
  if (Result.isFailure(address) || device === null || findings.violations.length > 0) {
    return Result.fail(reject(receipt, "add_device", findings.violations))
  }
  const at = orderOf(receipt, item, null, findings)
  return Result.succeed(addDevice(receipt, address.success.target, device, { at, faults: findings.faults }))
}

/** Decodes the `delete_device` action of a person. */
export const decodeDeleteDevice: Decode = (receipt, item) => {
  const findings = noFindings()
  const address = addressOf(receipt, item, true)
  if (Result.isFailure(address)) findings.violations.push(...address.failure)
  const source = trackDevice({ field: "device", value: item["device"] }, "token", findings)
  const token = source === null ? null : readToken(source.token, findings)
  return Result.isFailure(address) || token === null
    ? Result.fail(reject(receipt, "delete_device", findings.violations))
    : Result.succeed(deleteDevice(receipt, address.success.target, token))
}

/** The values that `_last_status` may have (contract §10). */
export const lastStatuses: ReadonlyArray<Json> = [null, "", "bounced", "sent", "suppressed"]

/** Checks that `_last_status` is one of the allowed values (contract §10). */
const checkLastStatus = ({ assignments }: DeviceParts, { violations }: Findings): void => {
  for (const { name, value } of assignments) {
    if (name !== "_last_status" || lastStatuses.includes(value)) continue
    violations.push(resourceTexts.unknownLastStatus("device.attributes._last_status"))
  }
}
