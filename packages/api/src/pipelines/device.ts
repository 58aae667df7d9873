import type { DeviceChange } from "@inlet/core/device/commands"
import { isJsonObject, type JsonObject } from "@inlet/core/values/Json"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import type { AttributeSource } from "../wire/assignments.ts"
import { pipelines } from "../wire/attributes.ts"
import { readDevice, readToken, type DeviceParts } from "../wire/device.ts"
import type { Findings } from "../wire/Findings.ts"
import { isAbsent } from "../wire/texts.ts"
import { aheadMaxMs } from "../wire/timestamps.ts"
import { contextValue, objectOr, spelled, type Call } from "./Call.ts"

/** A device as a call tells of it, and where. */
interface Told {
  readonly path: "properties.device" | "context.device"
  readonly device: JsonObject
}

/** The device that a call has a token for: in its properties or in its context (contract §13). */
const deviceOf = (call: Call, properties: JsonObject): Told => {
  const inProperties = objectOr(properties["device"], nothing)
  const inContext = contextValue(call, "device")
  return isAbsent(inProperties["token"]) && isJsonObject(inContext)
    ? { path: "context.device", device: inContext }
    : { path: "properties.device", device: inProperties }
}

const nothing: JsonObject = {}

/** What names the device that an action is about. */
export const readDeviceToken = (call: Call, properties: JsonObject, findings: Findings): string | null => {
  const { device, path } = deviceOf(call, properties)
  return readToken({ field: `${path}.token`, value: device["token"] }, findings)
}

/**
 * Reads a device that is added or updated; the properties of the call are its attributes, and the version of the app beside
 * them. It was last used when the call was made, unless the call says otherwise.
 */
export const readHeldDevice = (
  call: Call,
  properties: JsonObject,
  at: EpochMillis,
  findings: Findings,
): DeviceParts | null => readTold(call, deviceOf(call, properties), at, ofProperties(properties), findings)

const readTold = (
  call: Call,
  { device, path }: Told,
  at: EpochMillis,
  attributes: ReadonlyArray<AttributeSource>,
  findings: Findings,
): DeviceParts | null => {
  const read = readDevice(
    call.receipt,
    {
      field: path,
      token: { field: `${path}.token`, value: device["token"] },
      platform: spelled(`${path}.`, device, ["type", "platform"]),
      lastUsed: spelled(`${path}.`, device, ["last_used", "lastUsed"]),
      readTime: pipelines.readTime,
      attributes: [appVersion(call), ...attributes],
    },
    findings,
  )
  const { receivedAt } = call.receipt
  // The time of a call is taken as sent; as a `last_used` it may not be far ahead of receipt (contract §16).
  const called = at > receivedAt + aheadMaxMs ? receivedAt : at
  return read === null ? null : { ...read, lastUsed: read.lastUsed ?? called }
}

const appVersion = (call: Call): AttributeSource => {
  const app = contextValue(call, "app")
  const version = isJsonObject(app) ? app["version"] : undefined
  return { field: "context.app", value: isAbsent(version) ? undefined : { app_version: version } }
}

/** What the properties say of a device: flat, and within `device` beside what has a meaning of its own. */
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

/** The device that stands beside an identify, or an event of an app, in its context; null where there is no token. */
export const readDeviceBeside = (
  call: Call,
  properties: JsonObject,
  at: EpochMillis,
  findings: Findings,
): DeviceChange | null => {
  const told = deviceOf(call, properties)
  if (isAbsent(told.device["token"])) return null
  const read = readTold(call, told, at, noAttributes, findings)
  return read === null ? null : { _tag: "DeviceHeld", ...read }
}

const noAttributes: ReadonlyArray<AttributeSource> = []

/** The device that is gone with its app; null where the call has no token. */
export const readDeviceGone = (
  call: Call,
  properties: JsonObject,
  findings: Findings,
): DeviceChange | null => {
  if (isAbsent(deviceOf(call, properties).device["token"])) return null
  const token = readDeviceToken(call, properties, findings)
  return token === null ? null : { _tag: "DeviceGone", token }
}
