import type { DeviceChange } from "@inlethq/core/device/commands"
import { isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { AttributeSource } from "../decoding/assignments.ts"
import { readDevice, readToken, type DeviceParts } from "../decoding/device.ts"
import type { Findings } from "../decoding/Findings.ts"
import { isAbsent } from "../decoding/fieldValues.ts"
import { contextValue, objectOr, firstSpelling, type Call } from "./Call.ts"

/** The device object of a call, and its path. */
interface DeviceObject {
  readonly path: "properties.device" | "context.device"
  readonly device: JsonObject
}

/**
 * Returns the device in the properties of a call. If the properties have no device token, returns the device in the
 * call's context (contract §13).
 */
const deviceOf = (call: Call, properties: JsonObject): DeviceObject => {
  const inProperties = objectOr(properties["device"], nothing)
  const inContext = contextValue(call, "device")
  return isAbsent(inProperties["token"]) && isJsonObject(inContext)
    ? { path: "context.device", device: inContext }
    : { path: "properties.device", device: inProperties }
}

const nothing: JsonObject = {}

/** Reads the device token in a track call that adds, updates or removes a device. */
export const readDeviceToken = (call: Call, properties: JsonObject, findings: Findings): string | null => {
  const { device, path } = deviceOf(call, properties)
  return readToken({ field: `${path}.token`, value: device["token"] }, findings)
}

/**
 * Reads the device in a track call that adds or updates a device. The call's properties and the app's version become
 * the device's attributes. If the call has no `last_used`, the device was last used at the time of the call.
 */
export const readActionDevice = (
  call: Call,
  properties: JsonObject,
  at: EpochMillis,
  findings: Findings,
): DeviceParts | null =>
  readDeviceObject(call, deviceOf(call, properties), at, ofProperties(properties), findings)

const readDeviceObject = (
  call: Call,
  { device, path }: DeviceObject,
  at: EpochMillis,
  attributes: ReadonlyArray<AttributeSource>,
  findings: Findings,
): DeviceParts | null => {
  const read = readDevice(
    call.receipt,
    {
      field: path,
      token: { field: `${path}.token`, value: device["token"] },
      platform: firstSpelling(`${path}.`, device, ["type", "platform"]),
      lastUsed: firstSpelling(`${path}.`, device, ["last_used", "lastUsed"]),
      attributes: [appVersion(call), ...attributes],
    },
    findings,
  )
  const { receivedAt } = call.receipt
  // A device without a valid `last_used` was last used at the time of the call.
  const called = Math.min(at, receivedAt)
  return read === null ? null : { ...read, lastUsed: read.lastUsed ?? called }
}

const appVersion = (call: Call): AttributeSource => {
  const app = contextValue(call, "app")
  const version = isJsonObject(app) ? app["version"] : undefined
  return { field: "context.app", value: isAbsent(version) ? undefined : { app_version: version } }
}

/**
 * Returns the sources of a device's attributes: the properties of the call, the keys of `properties.device` that are
 * not reserved, and `properties.device.attributes`.
 */
const ofProperties = (properties: JsonObject): ReadonlyArray<AttributeSource> => {
  const device = objectOr(properties["device"], nothing)
  return [
    { field: "properties", value: properties, skip: deviceKey },
    { field: "properties.device", value: device, skip: ownKeys },
    { field: "properties.device.attributes", value: device["attributes"] },
  ]
}

const deviceKey = new Set(["device"])

const ownKeys = new Set(["token", "type", "platform", "id", "last_used", "lastUsed", "attributes"])

/** Reads the device in the context of an identify or an app event. Returns null if the device has no token. */
export const readContextDevice = (
  call: Call,
  properties: JsonObject,
  at: EpochMillis,
  findings: Findings,
): DeviceChange | null => {
  const told = deviceOf(call, properties)
  if (isAbsent(told.device["token"])) return null
  const read = readDeviceObject(call, told, at, noAttributes, findings)
  return read === null ? null : { _tag: "DeviceUpdate", ...read }
}

const noAttributes: ReadonlyArray<AttributeSource> = []

/** Reads the device from which an app was uninstalled. Returns null if the call has no device token. */
export const readUninstalledDevice = (
  call: Call,
  properties: JsonObject,
  findings: Findings,
): DeviceChange | null => {
  if (isAbsent(deviceOf(call, properties).device["token"])) return null
  const token = readDeviceToken(call, properties, findings)
  return token === null ? null : { _tag: "DeviceRemoval", token }
}
