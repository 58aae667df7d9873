import type { RecordEvent, RejectOperation } from "@inlet/core/Command"
import type { JsonObject } from "@inlet/core/Json"
import type { Limits } from "@inlet/core/Limits"
import type { Fault } from "@inlet/core/Outcome"
import { fromTrack, type EpochMillis } from "@inlet/core/Timestamp"
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
  type EventType,
} from "./event.ts"
import type { Address } from "./identifiers.ts"
import type { Receipt } from "./Receipt.ts"
import { fault, reject } from "./reject.ts"

/** An event as both versions of the Track API write it (track-api §2.5). */
export interface TrackEvent {
  readonly body: JsonObject
  readonly type: EventType
  /** Whom the request addresses; null for an event that names nobody. */
  readonly address: Address | null
  /** `data` in v1, `attributes` in v2. */
  readonly data: { readonly field: string; readonly value: unknown }
  /** The name where the action itself is one. */
  readonly name?: string
}

const fallbackKeys = ["url", "path", "name", "title"]

/** Reads an event; one that breaks a rule is refused whole, with everything that is wrong with it. */
export const decodeTrackEvent = (
  receipt: Receipt,
  event: TrackEvent,
): Result.Result<RecordEvent, RejectOperation> => {
  const { body, type } = event
  const { limits } = receipt.workspace
  const faults: Array<Fault> = []
  const take = <A>(read: Result.Result<A, Fault>, otherwise: A): A => {
    if (Result.isSuccess(read)) return read.success
    faults.push(read.failure)
    return otherwise
  }
  const name = event.name ?? take(readTrackName(limits, event), "")
  const data = take(readData(limits, event.data.value, event.data.field), noData)
  const at = take(readAt(receipt, body), receipt.receivedAt)
  const deduplicationKey = take(readDeduplicationKey(body["id"], "id"), null)
  if (faults.length > 0) {
    return Result.fail(reject(receipt, eventKind(type, event.address), faults, deduplicationKey))
  }
  return Result.succeed(
    recordEvent(receipt, event.address, {
      type,
      name,
      data,
      at: ordering(body) ?? at,
      deduplicationKey,
      faults: orderingFaults(body),
    }),
  )
}

/** `_timestamp` wins as in an identify; one that is no time is left out (contract §6). */
const ordering = (body: JsonObject): EpochMillis | undefined => fromTrack(body["_timestamp"])

const orderingFaults = (body: JsonObject): ReadonlyArray<Fault> =>
  (body["_timestamp"] ?? null) === null || ordering(body) !== undefined
    ? []
    : [fault("invalid", "_timestamp", "_timestamp is no time")]

const readTrackName = (limits: Limits, { body, data, type }: TrackEvent): Result.Result<string, Fault> => {
  const read = readName(limits, body["name"], "name")
  if (Result.isFailure(read)) return Result.fail(read.failure)
  if (read.success !== null) return Result.succeed(read.success)
  if (type === "event") return Result.fail(nameRequired("name"))
  const attributes = readData(limits, data.value, data.field)
  const name = fallbackName(limits, Result.isSuccess(attributes) ? attributes.success : noData, fallbackKeys)
  if (name === "too_long") return Result.fail(nameTooLong(limits, "name"))
  return name === null ? Result.fail(nameRequired("name")) : Result.succeed(name)
}

/** An event's own time; a `timestamp` that is no time is refused (contract §8). */
const readAt = (receipt: Receipt, body: JsonObject): Result.Result<EpochMillis, Fault> => {
  const timestamp = body["timestamp"] ?? null
  const at = timestamp === null ? receipt.receivedAt : fromTrack(timestamp)
  return at === undefined
    ? Result.fail(fault("invalid", "timestamp", "timestamp is no time"))
    : Result.succeed(at)
}
