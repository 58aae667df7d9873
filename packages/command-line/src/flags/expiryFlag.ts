import { dayMs, hourMs, minuteMs, toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { Flag } from "effect/cli"

const unitMs: Readonly<Record<string, number>> = {
  m: minuteMs,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
}

const Lifetime = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,4}[mhdw]$/, {
    expected: "a number of minutes, hours, days or weeks, such as 30m, 12h, 90d or 4w",
  }),
)

/** The flag that says after which time a new credential expires. */
export const expiryFlag = Flag.String("expires-in").pipe(
  Flag.withMetavar("TIME"),
  Flag.withDescription("Refuse it after this time, such as 12h, 90d or 52w; never by default"),
  Flag.withSchema(Lifetime),
  Flag.optional,
)

/** Returns the time, in ISO 8601, at which a lifetime such as `90d` ends. */
export const expiryAfter = (lifetime: string, now: EpochMillis): string =>
  toIso(now + Number(lifetime.slice(0, -1)) * (unitMs[lifetime.slice(-1)] ?? 0))
