import type { Json } from "@inlethq/core/values/Json"
import type { Fault } from "@inlethq/core/log/Outcome"
import { dayMs, readTime, readTimeOfAnyYear, toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Receipt } from "./Receipt.ts"
import { isAbsent, type FieldValue } from "./fieldValues.ts"
import { valueTexts } from "../texts/wireTexts.ts"

/** Returns the fault of a value that is no time, or whose year dates no operation (contract §8). */
export const noTime = (field: string, value: Json): Fault => {
  const at = readTimeOfAnyYear(value)
  return at === undefined
    ? valueTexts.unreadableTime(field)
    : valueTexts.implausibleYear(field, { year: new Date(at).getUTCFullYear() })
}

/** The longest time that an operation may be dated ahead of its receipt without being told so (contract §8). */
const aheadMaxMs = dayMs

/** Returns whether a time is so far ahead of receipt that the entry names it. */
export const isFarAhead = ({ receivedAt }: Receipt, at: EpochMillis): boolean => at > receivedAt + aheadMaxMs

export const futureTime = (field: string, at: EpochMillis): Fault =>
  valueTexts.futureTime(field, { time: toIso(at) })

/**
 * Reads the time of an event or a report. Returns null if it is missing or no time: then the time of receipt
 * takes its place (contract §8). A time that lies ahead of receipt is returned too, because deciding keeps it as the
 * original timestamp.
 */
export const readEventTime = (
  receipt: Receipt,
  { field, value }: FieldValue,
  faults: Array<Fault>,
): EpochMillis | null => {
  if (isAbsent(value)) return null
  const at = readTime(value)
  if (at === undefined) faults.push(noTime(field, value))
  else if (isFarAhead(receipt, at)) faults.push(futureTime(field, at))
  return at ?? null
}

/**
 * Reads a `_timestamp` or a `last_used`. Returns null if the value is missing. A value that is no time, or lies more than
 * a day ahead of receipt, is left out (contract §6, §8).
 */
export const readStamp = (
  receipt: Receipt,
  { field, value }: FieldValue,
  faults: Array<Fault>,
): EpochMillis | null => {
  if (isAbsent(value)) return null
  const at = readTime(value)
  if (at !== undefined && !isFarAhead(receipt, at)) return at
  faults.push(at === undefined ? noTime(field, value) : futureTime(field, at))
  return null
}
