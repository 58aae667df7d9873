import { toIso, type EpochMillis } from "@inlet/core/values/Timestamp"
import { Schema } from "effect"

/** A time in ISO 8601, in UTC with milliseconds. */
export const IsoTime = Schema.String.annotate({
  identifier: "IsoTime",
  description: "ISO 8601 in UTC with milliseconds",
  examples: ["2026-01-31T12:00:00.000Z"],
})

export const isoTimeOrNull = (at: EpochMillis | null): string | null => (at === null ? null : toIso(at))
