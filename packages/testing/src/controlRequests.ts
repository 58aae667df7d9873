import { Schema } from "effect"
import { FaultFields } from "./emulator/Faults.ts"

/** The longest wait of an expectation, in milliseconds. */
const waitMsMax = 60_000

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Query = Schema.Record(Schema.String, Schema.String)
const Pattern = Schema.optionalKey(Schema.Record(Schema.String, Schema.Json))
const timeout_ms = Schema.optionalKey(between(0, waitMsMax))

export const Advance = Schema.Struct({ advance_ms: between(0, Number.MAX_SAFE_INTEGER) })

export const FaultRequest = FaultFields.pipe(
  Schema.encodeKeys({ latencyMs: "latency_ms", retryAfterSeconds: "retry_after_seconds" }),
)

/** The data that a test waits for: a person, the absence of a person, an event or a log entry. */
export const Expectation = Schema.Union([
  Schema.Struct({ person: Query, pattern: Pattern, timeout_ms }),
  Schema.Struct({ no_person: Query, timeout_ms }),
  Schema.Struct({ event: Schema.String, pattern: Pattern, timeout_ms }),
  Schema.Struct({ activity: Query, pattern: Pattern, timeout_ms }),
])
export type Expectation = typeof Expectation.Type
