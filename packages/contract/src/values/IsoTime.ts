import { readTime, toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"

/** A time in ISO 8601, in UTC with milliseconds. */
export const IsoTime = Schema.String.annotate({
  identifier: "IsoTime",
  description: "ISO 8601 in UTC with milliseconds",
  examples: ["2026-01-31T12:00:00.000Z"],
})

/** A time in a request, in any spelling that Inlet reads (contract §8). */
export const TimeText = Schema.String.check(
  Schema.makeFilter((text) => readTime(text) !== undefined, {
    expected: "a time in ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z, or in Unix seconds",
  }),
).annotate({
  description: "a time in ISO 8601, or in Unix seconds",
  examples: ["2026-01-31T12:00:00.000Z"],
})

export const isoTimeOrNull = (at: EpochMillis | null): string | null => (at === null ? null : toIso(at))
