import type { Json, JsonObject } from "@inlet/core/Json"
import type { Fault } from "@inlet/core/Outcome"
import { fromTrack, type EpochMillis } from "@inlet/core/Timestamp"
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
export const readOptionalTime = (
  { field, value }: Given,
  readTime: ReadTime,
  faults: Array<Fault>,
): EpochMillis | null => {
  if (isAbsent(value)) return null
  const at = readTime(value)
  if (at === undefined) faults.push(noTime(field))
  return at ?? null
}

const noTime = (field: string) =>
  fault("invalid", field, `${field.slice(field.lastIndexOf(".") + 1)} is no time`)
