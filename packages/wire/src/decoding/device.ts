import { deviceBounds } from "@inlethq/core/attributes/attributeBounds"
import type { AddDevice, DeleteDevice } from "@inlethq/core/device/commands"
import type { Reference } from "@inlethq/core/values/Identifier"
import { foreignIdBytesMax } from "@inlethq/core/workspace/Limits"
import { isJsonObject } from "@inlethq/core/values/Json"
import { keepWithin, readAssignments, type AttributeSource } from "./assignments.ts"
import { envelope, type EnvelopeOptions } from "./envelope.ts"
import type { Findings } from "./Findings.ts"
import type { Receipt } from "./Receipt.ts"
import { isAbsent, required, requiredText, type FieldValue } from "./fieldValues.ts"
import { readStamp } from "./timestamps.ts"
import { valueTexts } from "../texts/wireTexts.ts"

/** The fields of a request that describe a device. */
export interface DeviceSource {
  /** The path of the device object, for faults that concern the whole object. */
  readonly field: string
  readonly token: FieldValue
  readonly platform: FieldValue
  readonly lastUsed: FieldValue
  /** Sources of attributes. If several sources set the same attribute, the last source wins. */
  readonly attributes: ReadonlyArray<AttributeSource>
}

/** The decoded description of a device. */
export type DeviceParts = Pick<AddDevice, "token" | "platform" | "lastUsed" | "lastUsedGiven" | "assignments">

/**
 * Reads a device to add or update (track-api §2.4, contract §10). Returns null if the token or the platform is missing
 * or invalid.
 */
export const readDevice = (
  receipt: Receipt,
  source: DeviceSource,
  findings: Findings,
): DeviceParts | null => {
  const { limits } = receipt.workspace
  const token = readToken(source.token, findings)
  const platform = requiredText(source.platform, limits.attributeValueBytesMax, findings)
  const lastUsed = readStamp(receipt, source.lastUsed, findings.faults)
  const given = source.attributes.flatMap((attributes) => readAssignments(receipt, attributes, findings))
  const assignments = keepWithin(receipt, deviceBounds(limits, ""), source.field, given, findings)
  return token === null || platform === null
    ? null
    : { token, platform, lastUsed, lastUsedGiven: lastUsed !== null, assignments }
}

/** Reads the token of a device. */
export const readToken = (token: FieldValue, findings: Findings): string | null =>
  requiredText(token, foreignIdBytesMax, findings)

/**
 * Returns the fields of a device in a Track request. The token is under the key `tokenKey`, and the attributes are in
 * `attributes` or directly in the device (contract §10). Returns null if the device is not an object.
 */
export const trackDevice = (
  { field, value }: FieldValue,
  tokenKey: "id" | "token",
  { violations }: Findings,
): DeviceSource | null => {
  if (!isJsonObject(value)) {
    violations.push(isAbsent(value) ? required(field) : valueTexts.notObject(field))
    return null
  }
  const given = (key: string): FieldValue => ({ field: `${field}.${key}`, value: value[key] })
  return {
    field,
    token: given(tokenKey),
    platform: given("platform"),
    lastUsed: given("last_used"),
    attributes: [{ field, value, skip: ownKeys[tokenKey] }, given("attributes")],
  }
}

const ownKeys = {
  id: new Set(["id", "platform", "last_used", "attributes"]),
  token: new Set(["token", "platform", "last_used", "attributes"]),
}

/** Builds the command that adds or updates a device. */
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

/** Builds the command that removes a device. */
export const deleteDevice = (
  receipt: Receipt,
  target: Reference,
  token: string,
  options?: EnvelopeOptions,
): DeleteDevice => ({ ...envelope("DeleteDevice", receipt, options), target, token })
