import type { RecordEvent } from "@inlet/core/event/commands"
import type { RejectOperation } from "@inlet/core/operation/commands"
import type { JsonObject } from "@inlet/core/values/Json"
import type { Limits } from "@inlet/core/workspace/Limits"
import type { Fault } from "@inlet/core/log/Outcome"
import { fromTrack } from "@inlet/core/values/Timestamp"
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
import type { Address } from "./identifiers.ts"
import type { Receipt } from "./Receipt.ts"
import { reject } from "./reject.ts"
import { readStamp, readTimestamp } from "./timestamps.ts"

/** An event of the Track API. Versions 1 and 2 have these fields in common (track-api §2.5). */
export interface TrackEvent {
  readonly body: JsonObject
  readonly type: EventType
  /** The person or visitor of the event. Null if the event identifies neither. */
  readonly address: Address | null
  /**
   * The data of the event, with the key of the request that contains it: `data` in v1, `attributes` or `data` in v2.
   */
  readonly data: { readonly field: string; readonly value: unknown }
  /** The event's name if the action determines it. If missing, the name is read from the request. */
  readonly name?: string
}

/** Decodes an event. An event that breaks a rule is refused as a whole, with all its faults. */
export const decodeTrackEvent = (
  receipt: Receipt,
  event: TrackEvent,
): Result.Result<RecordEvent, RejectOperation> => {
  const { body, type } = event
  const { limits } = receipt.workspace
  const faults: Array<Fault> = []
  const name = event.name ?? readTrackName(limits, event, faults)
  const data = take(readData(limits, event.data.value, event.data.field), noData, faults)
  const at = readTimestamp(body, faults)
  const deduplicationKey = take(readDeduplicationKey(body["id"], "id"), null, faults)
  if (faults.length > 0) {
    return Result.fail(reject(receipt, eventKind(type, event.address), faults, deduplicationKey))
  }
  const stamp = readStamp(receipt, { field: "_timestamp", value: body["_timestamp"] }, fromTrack, faults)
  return Result.succeed(
    recordEvent(receipt, event.address, {
      type,
      name,
      data,
      // The API reference documents `timestamp` as the time of an event, so `timestamp` wins over `_timestamp`. For
      // updates, `_timestamp` wins (contract §16).
      at: at ?? stamp,
      deduplicationKey,
      faults,
    }),
  )
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
