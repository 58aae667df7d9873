import type { Json, JsonObject } from "@inlet/core/values/Json"
import type { Fault } from "@inlet/core/log/Outcome"
import { dayMs, fromTrack, type EpochMillis } from "@inlet/core/values/Timestamp"
import type { Receipt } from "./Receipt.ts"
import { isAbsent, type FieldValue } from "./fieldValues.ts"
import { valueTexts } from "../texts/wireTexts.ts"

/** Parses a time in the format of one protocol. Returns undefined if the value is not a time. */
export type ReadTime = (value: Json) => EpochMillis | undefined

/**
 * Reads the `timestamp` of an event or a report. Returns null if it is missing. A value that is not a time is a
 * violation (contract §8).
 */
export const readTimestamp = (body: JsonObject, violations: Array<Fault>): EpochMillis | null => {
  const timestamp = body["timestamp"] ?? null
  if (timestamp === null) return null
  const at = fromTrack(timestamp)
  if (at === undefined) violations.push(valueTexts.unreadableTime("timestamp"))
  return at ?? null
}

/** Reads an optional time. Returns null if the value is missing or not a time (contract §6). */
const readOptionalTime = (
  { field, value }: FieldValue,
  readTime: ReadTime,
  faults: Array<Fault>,
): EpochMillis | null => {
  if (isAbsent(value)) return null
  const at = readTime(value)
  if (at === undefined) faults.push(valueTexts.unreadableTime(field))
  return at ?? null
}

/** The longest time that an operation may be dated ahead of its receipt (contract §16). */
export const aheadMaxMs = dayMs

/**
 * Reads a `_timestamp` or a `last_used`. A value that is not a time, or is more than one day later than the time of
 * receipt, is left out (contract §16).
 */
export const readStamp = (
  { receivedAt }: Receipt,
  given: FieldValue,
  readTime: ReadTime,
  faults: Array<Fault>,
): EpochMillis | null => {
  const at = readOptionalTime(given, readTime, faults)
  if (at === null || at <= receivedAt + aheadMaxMs) return at
  faults.push(valueTexts.futureTime(given.field))
  return null
}
