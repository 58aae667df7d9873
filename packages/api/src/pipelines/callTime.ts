import type { JsonObject } from "@inlet/core/values/Json"
import type { Fault } from "@inlet/core/log/Outcome"
import { epochMillisMax, fromPipelines, type EpochMillis } from "@inlet/core/values/Timestamp"
import { isAbsent } from "../wire/fieldValues.ts"
import type { Call } from "./Call.ts"
import { valueFaults } from "../wire/faults.ts"

/** The time of a call by the server's clock and by the client's. The client's is null if it sent none. */
export interface CallTime {
  readonly at: EpochMillis
  /** Whether `at` was computed from the time of receipt. It is false if the client's time was used unchanged. */
  readonly followsReceipt: boolean
  readonly originalTimestamp: EpochMillis | null
}

/**
 * Returns the time of a call. If the client says when it sent the call, its clock is corrected by the difference to the
 * time of receipt. A corrected time is never later than receipt (contract §13). An invalid time counts as missing.
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

/** Returns a fault for each invalid time of a call. Used if none of its times could be parsed (contract §6, §8). */
export const invalidTimes = (body: JsonObject): ReadonlyArray<Fault> =>
  ["originalTimestamp", "timestamp"].flatMap((field) =>
    isAbsent(body[field]) ? [] : [valueFaults.unreadableTime(field)],
  )
