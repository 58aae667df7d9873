import type { Fault } from "@inlethq/core/log/Outcome"
import { readTime, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { isAbsent } from "../decoding/fieldValues.ts"
import type { Call } from "./Call.ts"
import { futureTime, isFarAhead, noTime } from "../decoding/timestamps.ts"

/**
 * The time of a call. `at` is by the server's clock. `originalTimestamp` is by the client's clock, and null if the
 * client sent no time.
 */
export interface CallTime {
  readonly at: EpochMillis
  /** True if `at` was computed from the time of receipt, false if `at` is the client's time unchanged. */
  readonly followsReceipt: boolean
  readonly originalTimestamp: EpochMillis | null
}

/**
 * Returns the time of a call, or the time of receipt if the call contains no time. If the call or its batch contains
 * `sentAt`, the time of the call is corrected by the difference between `sentAt` and the time of receipt, which is the
 * error of the client's clock. A corrected time is never later than receipt (contract §13). An invalid time counts as
 * missing.
 */
export const callTimeOf = ({ body, defaults, receipt: { receivedAt } }: Call): CallTime => {
  const originalTimestamp = readTime(body["originalTimestamp"]) ?? readTime(body["timestamp"])
  if (originalTimestamp === undefined)
    return { at: receivedAt, followsReceipt: true, originalTimestamp: null }
  const sentAt = readTime(body["sentAt"]) ?? defaults.sentAt
  if (sentAt === null) return { at: originalTimestamp, followsReceipt: false, originalTimestamp }
  const corrected = Math.min(receivedAt - (sentAt - originalTimestamp), receivedAt)
  // Between two times of the client there can be more than the years that a time can have.
  const at = corrected < 0 ? receivedAt : corrected
  return { at, followsReceipt: true, originalTimestamp }
}

const timeFields = ["originalTimestamp", "timestamp"] as const

/**
 * Returns the faults of the time of a call: one for each field that has a value, if none is a time, or one for the field
 * whose time counts as the receipt time because it lies more than a day ahead (contract §6, §8).
 */
export const timeFaults = (
  { body, receipt }: Call,
  { at, followsReceipt, originalTimestamp }: CallTime,
): ReadonlyArray<Fault> => {
  if (originalTimestamp === null) {
    return timeFields.flatMap((field) => {
      const value = body[field]
      return isAbsent(value) ? [] : [noTime(field, value)]
    })
  }
  if (followsReceipt || !isFarAhead(receipt, at)) return []
  const field = readTime(body["originalTimestamp"]) === undefined ? "timestamp" : "originalTimestamp"
  return [futureTime(field, originalTimestamp)]
}
