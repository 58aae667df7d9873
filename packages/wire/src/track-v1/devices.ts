import type { AddDevice, DeleteDevice } from "@inlethq/core/device/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import { isJsonObject } from "@inlethq/core/values/Json"
import { Result } from "effect"
import { addDevice, deleteDevice, readDevice, readToken, trackDevice } from "../decoding/device.ts"
import { noFindings } from "../decoding/Findings.ts"
import { bareAddress } from "../decoding/identifiers.ts"
import type { Receipt } from "../decoding/Receipt.ts"
import { notAnObject, reject } from "../decoding/reject.ts"

/**
 * Decodes PUT `/customers/{identifier}/devices` (track-api §2.4, contract §10). `identifier` is the decoded path
 * segment.
 */
export const decodeAddDevice = (
  receipt: Receipt,
  identifier: string,
  body: unknown,
): Result.Result<AddDevice, RejectOperation> => {
  if (!isJsonObject(body)) return Result.fail(reject(receipt, "add_device", [notAnObject()]))
  const findings = noFindings()
  const address = bareAddress(receipt, identifier, "identifier")
  if (Result.isFailure(address)) findings.violations.push(address.failure)
  const source = trackDevice({ field: "device", value: body["device"] }, "id", findings)
  const device = source === null ? null : readDevice(receipt, source, findings)
  const { faults, violations } = findings
  return Result.isFailure(address) || device === null || violations.length > 0
    ? Result.fail(reject(receipt, "add_device", violations))
    : Result.succeed(addDevice(receipt, address.success.target, device, { faults }))
}

/** Decodes DELETE `/customers/{identifier}/devices/{device_id}`. A body is ignored. */
export const decodeDeleteDevice = (
  receipt: Receipt,
  identifier: string,
  deviceId: string,
): Result.Result<DeleteDevice, RejectOperation> => {
  const findings = noFindings()
  const address = bareAddress(receipt, identifier, "identifier")
  if (Result.isFailure(address)) findings.violations.push(address.failure)
  const token = readToken({ field: "device_id", value: deviceId }, findings)
  return Result.isFailure(address) || token === null
    ? Result.fail(reject(receipt, "delete_device", findings.violations))
    : Result.succeed(deleteDevice(receipt, address.success.target, token))
}
