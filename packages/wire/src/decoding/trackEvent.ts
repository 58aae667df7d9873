import type { RecordEvent } from "@inlethq/core/event/commands"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { ReadOtherwise } from "@inlethq/core/log/KeptValue"
import { isJsonObject, sameJson, type Json, type JsonObject } from "@inlethq/core/values/Json"
import type { Limits } from "@inlethq/core/workspace/Limits"
import type { Fault } from "@inlethq/core/log/Outcome"
import { Result } from "effect"
import {
  eventKind,
  fallbackName,
  nameRequired,
  nameTooLong,
  noData,
  readData,
  readDeduplicationKey,
  readName,
  recordEvent,
  viewNameKeys,
  type EventType,
} from "./event.ts"
import { canonicalName } from "./Brand.ts"
import { isEmptyArray, type FieldValue } from "./fieldValues.ts"
import type { Address } from "./identifiers.ts"
import { withReadOtherwise } from "./readOtherwise.ts"
import type { Receipt } from "./Receipt.ts"
import { reject } from "./reject.ts"
import { readEventTime, readStamp } from "./timestamps.ts"

/** An event of the Track API. Versions 1 and 2 have these fields in common (track-api §2.5). */
export interface TrackEvent {
  readonly body: JsonObject
  readonly type: EventType
  /** The person or visitor of the event. Null if the event identifies neither. */
  readonly address: Address | null
  /**
   * The data of the event, with the key of the request that contains it: `data` in v1, `attributes` or `data` in v2.
   */
  readonly data: FieldValue
  /** The event's name if the action determines it. If missing, the name is read from the request. */
  readonly name?: string
}

/**
 * Decodes an event. An event that breaks a rule is refused as a whole, with all its faults. A time that cannot be read
 * breaks none: the event is kept at its time of receipt (contract §8).
 */
export const decodeTrackEvent = (
  receipt: Receipt,
  event: TrackEvent,
): Result.Result<RecordEvent, RejectOperation> => {
  const { body, type } = event
  const { limits } = receipt.workspace
  const faults: Array<Fault> = []
  const name = event.name ?? readTrackName(limits, event, faults)
  const { field, otherwise, value } = withFlatFields(receipt, event)
  const data = take(readData(limits, value, field), noData, faults)
  const deduplicationKey = take(readDeduplicationKey(body["id"], "id"), null, faults)
  if (faults.length > 0) {
    return Result.fail(reject(receipt, eventKind(type, event.address), faults, deduplicationKey))
  }
  const at = readEventTime(receipt, { field: "timestamp", value: body["timestamp"] }, faults)
  const stamp = readStamp(receipt, { field: "_timestamp", value: body["_timestamp"] }, faults)
  const command = recordEvent(receipt, event.address, {
    type,
    name,
    data,
    // The API reference documents `timestamp` as the time of an event, so `timestamp` wins over `_timestamp`. For
    // updates, `_timestamp` wins (contract §8).
    at: at ?? stamp,
    deduplicationKey,
    faults,
  })
  return Result.succeed(withReadOtherwise(command, otherwise))
}

const sharedFields = ["name", "type", "id", "anonymous_id", "timestamp", "_timestamp", "data"]

/** The fields that an event may have beside its data, in v1 and in v2. */
export const eventFields = {
  v1: new Set(sharedFields),
  v2: new Set([...sharedFields, "action", "identifiers", "attributes", "svc_relationships", "_update"]),
} as const

interface GivenData extends FieldValue {
  readonly otherwise: ReadonlyArray<ReadOtherwise>
}

const noneRead: ReadonlyArray<ReadOtherwise> = []

/**
 * Returns the data of an event with the fields that stand beside it, as some clients send them (contract §8 *flat events*).
 * Names v2 `data` beside `attributes`, which is not read.
 */
const withFlatFields = ({ brand, source }: Receipt, { body, data }: TrackEvent): GivenData => {
  const { field, value = null } = data
  if (source !== "track-v1" && source !== "track-v2") return { ...data, otherwise: noneRead }
  const known = source === "track-v1" ? eventFields.v1 : eventFields.v2
  const flat = Object.keys(body).filter((key) => !known.has(key) && !known.has(canonicalName(brand, key)))
  const unread = field === "attributes" ? (body["data"] ?? null) : null
  if (flat.length === 0 && unread === null) return { ...data, otherwise: noneRead }
  const own = value === null || isEmptyArray(value) ? noData : value
  if (!isJsonObject(own)) return { ...data, otherwise: noneRead }
  const otherwise = flat.map((key): ReadOtherwise => {
    const sent = body[key] ?? null
    return Object.hasOwn(own, key)
      ? { path: key, sent, kept: own[key] ?? null, why: "flat_field_repeated" }
      : { path: key, sent, kept: sent, why: "flat_field" }
  })
  if (unread !== null && !sameJson(unread, value)) {
    otherwise.push({ path: "data", sent: unread, kept: null, why: "data_beside_attributes" })
  }
  const moved = flat.flatMap((key): ReadonlyArray<readonly [string, Json]> =>
    Object.hasOwn(own, key) ? [] : [[key, body[key] ?? null]],
  )
  return {
    field,
    value: moved.length === 0 ? own : Object.fromEntries([...Object.entries(own), ...moved]),
    otherwise,
  }
}

const take = <A>(read: Result.Result<A, Fault>, otherwise: A, faults: Array<Fault>): A => {
  if (Result.isSuccess(read)) return read.success
  faults.push(read.failure)
  return otherwise
}

const readTrackName = (limits: Limits, { body, data, type }: TrackEvent, faults: Array<Fault>): string => {
  const given = take(readName(limits, body["name"], "name"), "", faults)
  if (given !== null) return given
  const name = type === "event" ? null : viewName(limits, data)
  if (name !== null && name !== "too_long") return name
  faults.push(name === null ? nameRequired("name") : nameTooLong(limits, "name"))
  return ""
}

const viewName = (limits: Limits, { field, value }: TrackEvent["data"]) => {
  const data = readData(limits, value, field)
  return fallbackName(limits, Result.isSuccess(data) ? data.success : noData, viewNameKeys)
}
