import { deviceBounds } from "@inlet/core/state/Attributes"
import type { AddDevice, DeleteDevice } from "@inlet/core/device/commands"
import type { Reference } from "@inlet/core/values/Identifier"
import { foreignIdBytesMax } from "@inlet/core/workspace/Limits"
import { fromTrack } from "@inlet/core/values/Timestamp"
import { isJsonObject } from "@inlet/core/values/Json"
import { keepWithin, readAssignments, type AttributeSource } from "./assignments.ts"
import { envelope, type EnvelopeOptions } from "./envelope.ts"
import type { Findings } from "./Findings.ts"
import type { Receipt } from "./Receipt.ts"
import { isAbsent, required, requiredText, type Given } from "./texts.ts"
import { readStamp, type ReadTime } from "./timestamps.ts"
import { valueFaults } from "./faults.ts"

/** Where a request holds what it says of a device. */
export interface DeviceSource {
  /** The path of the device, for what is wrong with it as a whole. */
  readonly field: string
  readonly token: Given
  readonly platform: Given
  readonly lastUsed: Given
  readonly readTime: ReadTime
  /** Of two values of an attribute the later one counts. */
  readonly attributes: ReadonlyArray<AttributeSource>
}

/** What a request says of a device. */
export type DeviceParts = Pick<AddDevice, "token" | "platform" | "lastUsed" | "lastUsedGiven" | "assignments">

/** Reads a device to add or to update (track-api §2.4, contract §10); null where it has no token or no platform. */
export const readDevice = (
  receipt: Receipt,
  source: DeviceSource,
  findings: Findings,
): DeviceParts | null => {
  const { limits } = receipt.workspace
  const token = readToken(source.token, findings)
  const platform = requiredText(source.platform, limits.attributeValueBytesMax, findings)
  const lastUsed = readStamp(receipt, source.lastUsed, source.readTime, findings.faults)
  const given = source.attributes.flatMap((attributes) => readAssignments(receipt, attributes, findings))
  const assignments = keepWithin(receipt, deviceBounds(limits, ""), source.field, given, findings)
  return token === null || platform === null
    ? null
    : { token, platform, lastUsed, lastUsedGiven: lastUsed !== null, assignments }
}

/** Reads what names a device. */
export const readToken = (token: Given, findings: Findings): string | null =>
  requiredText(token, foreignIdBytesMax, findings)

/**
 * A device as the Track API writes it, its token under `tokenKey`: attributes stand in `attributes`, or flat beside what
 * has a meaning of its own (contract §10). Null where there is none.
 */
export const trackDevice = (
  { field, value }: Given,
  tokenKey: "id" | "token",
  { violations }: Findings,
): DeviceSource | null => {
  if (!isJsonObject(value)) {
    violations.push(isAbsent(value) ? required(field) : valueFaults.notObject(field))
    return null
  }
  const given = (key: string): Given => ({ field: `${field}.${key}`, value: value[key] })
  return {
    field,
    token: given(tokenKey),
    platform: given("platform"),
    lastUsed: given("last_used"),
    readTime: fromTrack,
    attributes: [{ field, value, skip: ownKeys[tokenKey] }, given("attributes")],
  }
}

const ownKeys = {
  id: new Set(["id", "platform", "last_used", "attributes"]),
  token: new Set(["token", "platform", "last_used", "attributes"]),
}

/** The command that adds a device to somebody, or updates it. */
export const addDevice = (
  receipt: Receipt,
  target: Reference,
  { assignments, lastUsed, lastUsedGiven, platform, token }: DeviceParts,
  options?: EnvelopeOptions,
): AddDevice => ({
  ...envelope("AddDevice", receipt, options),
  target,
  token,
  platform,
  lastUsed,
  lastUsedGiven,
  assignments,
})

/** The command that removes a device of somebody. */
export const deleteDevice = (
  receipt: Receipt,
  target: Reference,
  token: string,
  options?: EnvelopeOptions,
): DeleteDevice => ({ ...envelope("DeleteDevice", receipt, options), target, token })
