import type { Json, JsonObject } from "@inlet/core/values/Json"
import type { Fault } from "@inlet/core/log/Outcome"
import { dayMs, fromTrack, type EpochMillis } from "@inlet/core/values/Timestamp"
import type { Receipt } from "./Receipt.ts"
import { isAbsent, type Given } from "./texts.ts"
import { valueFaults } from "./faults.ts"

/** How a protocol writes a time. */
export type ReadTime = (value: Json) => EpochMillis | undefined

/** Reads the `timestamp` of an event or a report, null where it is absent; one that is not a time is refused (contract §8). */
export const readTimestamp = (body: JsonObject, violations: Array<Fault>): EpochMillis | null => {
  const timestamp = body["timestamp"] ?? null
  if (timestamp === null) return null
  const at = fromTrack(timestamp)
  if (at === undefined) violations.push(valueFaults.unreadableTime("timestamp"))
  return at ?? null
}

/** Reads a time that is left out where it is none (contract §6). */
const readOptionalTime = (
  { field, value }: Given,
  readTime: ReadTime,
  faults: Array<Fault>,
): EpochMillis | null => {
  if (isAbsent(value)) return null
  const at = readTime(value)
  if (at === undefined) faults.push(valueFaults.unreadableTime(field))
  return at ?? null
}

/** How far ahead of its receipt an operation may be stamped (contract §16). */
export const aheadMaxMs = dayMs

/** Reads a `_timestamp` or a `last_used`; one that is not a time, or more than a day ahead of receipt, is left out (contract §16). */
export const readStamp = (
  { receivedAt }: Receipt,
  given: Given,
  readTime: ReadTime,
  faults: Array<Fault>,
): EpochMillis | null => {
  const at = readOptionalTime(given, readTime, faults)
  if (at === null || at <= receivedAt + aheadMaxMs) return at
  faults.push(valueFaults.futureTime(given.field))
  return null
}
