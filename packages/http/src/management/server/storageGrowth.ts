import type { StorageDocument } from "@inlethq/contract/server/Server"
import { dayMs, minuteMs } from "@inlethq/core/values/Timestamp"
import { Context, Effect } from "effect"

/** The size of the store at one time; null if it could not be read. */
export interface SizeReading {
  readonly at: number
  readonly bytes: number | null
}

/** The shortest time over which a growth is told. In less, one checkpoint or one import would be most of it. */
const measuredMsMin = 10 * minuteMs

/** Reads the bytes that are free where the store grows; null if nobody knows, as on a PostgreSQL server. */
export const FreeSpace = Context.Reference<Effect.Effect<number | null>>(
  "@inlethq/http/management/server/FreeSpace",
  { defaultValue: () => Effect.succeed(null) },
)

/** Returns how fast a store grew between the oldest and the newest reading, and when its disk is full if it goes on so. */
export const storageGrowth = (
  readings: ReadonlyArray<SizeReading>,
  freeBytes: number | null,
): StorageDocument => {
  const known = readings.flatMap(({ at, bytes }) => (bytes === null ? [] : [{ at, bytes }]))
  const [first] = known
  const last = known.at(-1)
  const measuredMs = first === undefined || last === undefined ? 0 : last.at - first.at
  const perDay =
    first === undefined || last === undefined || measuredMs < measuredMsMin
      ? null
      : Math.round(((last.bytes - first.bytes) / measuredMs) * dayMs)
  return {
    bytes: last?.bytes ?? null,
    free_bytes: freeBytes,
    bytes_per_day: perDay,
    measured_seconds: Math.round(measuredMs / 1000),
    days_left: perDay === null || perDay <= 0 || freeBytes === null ? null : freeBytes / perDay,
  }
}
