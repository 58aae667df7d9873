import type { JsonObject } from "@inlet/core/values/Json"
import type { Fault } from "@inlet/core/log/Outcome"
import { epochMillisMax, fromPipelines, type EpochMillis } from "@inlet/core/values/Timestamp"
import { isAbsent } from "../wire/fieldValues.ts"
import type { Call } from "./Call.ts"
import { valueTexts } from "../texts/wireTexts.ts"

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
  const originalTimestamp = fromPipelines(body["originalTimestamp"]) ?? fromPipelines(body["timestamp"])
  if (originalTimestamp === undefined)
    return { at: receivedAt, followsReceipt: true, originalTimestamp: null }
  const sentAt = fromPipelines(body["sentAt"]) ?? defaults.sentAt
  if (sentAt === null) return { at: originalTimestamp, followsReceipt: false, originalTimestamp }
  const corrected = Math.min(receivedAt - (sentAt - originalTimestamp), receivedAt)
  const at = corrected < -epochMillisMax ? receivedAt : corrected
  return { at, followsReceipt: true, originalTimestamp }
}

/**
 * Returns a fault for each of `originalTimestamp` and `timestamp` that is present. Must only be called if neither has a
 * valid time (contract §6, §8).
 */
export const invalidTimes = (body: JsonObject): ReadonlyArray<Fault> =>
  ["originalTimestamp", "timestamp"].flatMap((field) =>
    isAbsent(body[field]) ? [] : [valueTexts.unreadableTime(field)],
  )
