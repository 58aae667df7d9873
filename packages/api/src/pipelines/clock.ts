import type { JsonObject } from "@inlet/core/values/Json"
import type { Fault } from "@inlet/core/log/Outcome"
import { epochMillisMax, fromPipelines, type EpochMillis } from "@inlet/core/values/Timestamp"
import { isAbsent } from "../wire/texts.ts"
import type { Call } from "./Call.ts"
import { valueFaults } from "../wire/faults.ts"

/** When a call happened by our clock and by the client's; the latter is null where it was not told. */
export interface Moment {
  readonly at: EpochMillis
  /** Whether `at` was reckoned from the time of receipt; false for a time taken as sent. */
  readonly followsReceipt: boolean
  readonly originalTimestamp: EpochMillis | null
}

/**
 * The client's clock corrected by the time at which it says it sent the call, never later than receipt (contract §13).
 * What is no time is as good as absent.
 */
export const momentOf = ({ body, defaults, receipt: { receivedAt } }: Call): Moment => {
  const originalTimestamp = fromPipelines(body["originalTimestamp"]) ?? fromPipelines(body["timestamp"])
  if (originalTimestamp === undefined)
    return { at: receivedAt, followsReceipt: true, originalTimestamp: null }
  const sentAt = fromPipelines(body["sentAt"]) ?? defaults.sentAt
  if (sentAt === null) return { at: originalTimestamp, followsReceipt: false, originalTimestamp }
  const corrected = Math.min(receivedAt - (sentAt - originalTimestamp), receivedAt)
  const at = corrected < -epochMillisMax ? receivedAt : corrected
  return { at, followsReceipt: true, originalTimestamp }
}

/** What a call whose time could not be read says of those that are none: they are left out and recorded (contract §6, §8). */
export const unreadTimes = (body: JsonObject): ReadonlyArray<Fault> =>
  ["originalTimestamp", "timestamp"].flatMap((field) =>
    isAbsent(body[field]) ? [] : [valueFaults.unreadableTime(field)],
  )
