import type { Json, JsonObject } from "@inlet/core/Json"
import type { Fault } from "@inlet/core/Outcome"
import { dayMs, fromTrack, type EpochMillis } from "@inlet/core/Timestamp"
import type { Receipt } from "./Receipt.ts"
import { fault } from "./reject.ts"
import { isAbsent, type Given } from "./texts.ts"

/** How a protocol writes a time. */
export type ReadTime = (value: Json) => EpochMillis | undefined

/** Reads the `timestamp` of an event or a report, null where it is absent; one that is not a time is refused (contract §8). */
export const readTimestamp = (body: JsonObject, violations: Array<Fault>): EpochMillis | null => {
  const timestamp = body["timestamp"] ?? null
  if (timestamp === null) return null
  const at = fromTrack(timestamp)
  if (at === undefined) violations.push(noTime("timestamp"))
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
  if (at === undefined) faults.push(noTime(field))
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
  faults.push(fault("invalid", given.field, `${nameOf(given.field)} is more than a day ahead of receipt`))
  return null
}

const nameOf = (field: string) => field.slice(field.lastIndexOf(".") + 1)

const noTime = (field: string) => fault("invalid", field, `${nameOf(field)} is no time`)
