import type { EventKind } from "@inlethq/core/log/ActivityEntry"
import type { DeviceChange } from "@inlethq/core/device/commands"
import type { RecordEvent } from "@inlethq/core/event/commands"
import { clientKey } from "@inlethq/core/values/deduplicationKeys"
import { exceedsBytes, isJsonObject, type JsonObject } from "@inlethq/core/values/Json"
import type { Limits } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import { followsReceipt, type EnvelopeOptions } from "./envelope.ts"
import { notText, readText, type Address } from "./identifiers.ts"
import { jsonDepthMax, measure } from "./measure.ts"
import { isEmptyArray } from "./fieldValues.ts"
import type { Receipt } from "./Receipt.ts"
import { eventTexts, valueTexts } from "../texts/wireTexts.ts"

/** Types of events: custom events, web page views and mobile screen views (track-api §2.5). */
export type EventType = "event" | "page" | "screen"

export const isEventType = (type: unknown): type is EventType =>
  type === "event" || type === "page" || type === "screen"

/** The largest number of bytes of a deduplication key, in UTF-8. */
export const deduplicationKeyBytesMax = 1000

/** Keys of the data of a page or screen view of the Track API. The first text in them names a view without a name. */
export const viewNameKeys = ["url", "path", "name", "title"]

export const noData: JsonObject = {}

export interface EventParts extends EnvelopeOptions {
  readonly type: EventType
  /**
   * Overrides the kind that is recorded in the activity log. Pipelines sets this, because its events have no separate
   * kind for anonymous visitors.
   */
  readonly kind?: EventKind
  readonly name: string
  readonly data: JsonObject
  readonly device?: DeviceChange | null
}

/**
 * Builds the command that records an event. `address` is null if the request identifies neither a person nor a visitor.
 */
export const recordEvent = (receipt: Receipt, address: Address | null, parts: EventParts): RecordEvent => ({
  // The envelope's fields are written out here, because spreading an envelope makes decoding a third slower. Most
  // operations are events or identifies, so this matters.
  _tag: "RecordEvent",
  workspace: receipt.workspace,
  source: receipt.source,
  receivedAt: receipt.receivedAt,
  at: parts.at ?? receipt.receivedAt,
  followsReceipt: followsReceipt(parts),
  originalTimestamp: parts.originalTimestamp ?? null,
  batchIndex: receipt.batchIndex,
  deduplicationKey: parts.deduplicationKey ?? null,
  sender: receipt.workspace.sender ?? null,
  faults: parts.faults ?? [],
  kind: parts.kind ?? eventKind(parts.type, address),
  target: address === null ? null : address.target,
  anonymousId: anonymousIdOf(address),
  name: parts.name,
  data: parts.data,
  device: parts.device ?? null,
})

/**
 * Returns the kind to record. A custom event without a person is an anonymous event. Page and screen views have the
 * same kind for people and visitors.
 */
export const eventKind = (type: EventType, address: Address | null): EventKind =>
  type === "event" && (address === null || address.kind === "anonymous_id") ? "anonymous_event" : type

const anonymousIdOf = (address: Address | null): string | null => {
  if (address === null) return null
  return address.kind === "anonymous_id" ? address.value : address.others.anonymousId
}

/**
 * Reads the name of an event. Spaces around the name are removed before its length is checked (contract §8). Returns
 * null if the name is missing or blank.
 */
export const readName = (
  limits: Limits,
  value: unknown,
  field: string,
): Result.Result<string | null, Fault> => {
  if (value === undefined || value === null) return Result.succeed(null)
  if (typeof value !== "string") return Result.fail(eventTexts.nameNotText(field))
  const name = value.trim()
  if (exceedsBytes(name, limits.eventNameBytesMax)) return Result.fail(nameTooLong(limits, field))
  return Result.succeed(name === "" ? null : name)
}

export const nameRequired = (field: string): Fault => eventTexts.nameBlank(field)

export const nameTooLong = (limits: Limits, field: string): Fault =>
  eventTexts.nameTooLong(field, { bytes: limits.eventNameBytesMax })

/**
 * Returns a name for a page or screen view that was sent without a name. Reads the given keys of `data` in order, and
 * returns the first text that is neither blank nor too long. Returns null if every text is missing or blank, and
 * `too_long` if all texts are too long (contract §8, §13).
 */
export const fallbackName = (
  limits: Limits,
  data: JsonObject,
  keys: ReadonlyArray<string>,
): string | "too_long" | null => {
  let long = false
  for (const key of keys) {
    const value = data[key]
    const name = typeof value === "string" ? value.trim() : ""
    if (name === "") continue
    if (!exceedsBytes(name, limits.eventNameBytesMax)) return name
    long = true
  }
  return long ? "too_long" : null
}

/** Reads the data of an event. The data must be an object if it is present (track-api §2.5, §8). */
export const readData = (limits: Limits, value: unknown, field: string): Result.Result<JsonObject, Fault> => {
  if (value === undefined || value === null || isEmptyArray(value)) return Result.succeed(noData)
  if (!isJsonObject(value)) return Result.fail(eventTexts.dataNotObject(field))
  const bytesMax = limits.eventDataBytesMax
  switch (measure(value, bytesMax, dataDepthMax)) {
    case "fits":
      return Result.succeed(value)
    case "too_large":
      return Result.fail(eventTexts.dataTooLong(field, { bytes: bytesMax }))
    case "unfit":
      return Result.fail(unfitData(field, unfitKeys(value)[0] ?? ""))
  }
}

/** Reads the data of an event. Attributes that are nested too deep or contain a number out of range are left out. */
export const readFittingData = (
  limits: Limits,
  value: unknown,
  field: string,
  faults: Array<Fault>,
): Result.Result<JsonObject, Fault> => {
  if (!isJsonObject(value) || measure(value, limits.eventDataBytesMax, dataDepthMax) !== "unfit") {
    return readData(limits, value, field)
  }
  const unfit = new Set(unfitKeys(value))
  for (const key of unfit) faults.push(unfitData(field, key))
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !unfit.has(key)))
  return readData(limits, rest, field)
}

/**
 * The `data` of an event may be nested one level deeper than an attribute of a person, because `data` itself is a
 * level.
 */
const dataDepthMax = jsonDepthMax + 1

const unfitKeys = (data: JsonObject): ReadonlyArray<string> =>
  Object.keys(data).filter((key) => measure(data[key] ?? null, Number.MAX_SAFE_INTEGER) === "unfit")

const unfitData = (field: string, key: string): Fault =>
  eventTexts.dataUnfit(`${field}.${key}`, { key, levels: jsonDepthMax })

/**
 * Reads the deduplication key. The key of an event is in `id`, and the key of a Pipelines call is in `messageId`
 * (contract §8).
 */
export const readDeduplicationKey = (value: unknown, field: string): Result.Result<string | null, Fault> => {
  const text = readText(value)
  if (text === undefined) return Result.fail(notText(field, value))
  if (text !== null && exceedsBytes(text, deduplicationKeyBytesMax)) {
    return Result.fail(valueTexts.textTooLong(field, { bytes: deduplicationKeyBytesMax }))
  }
  return Result.succeed(text === null ? null : clientKey(text))
}
