import { Schema } from "effect"

/** From when on something in a workspace is an alert. */
export const AlertSettings = Schema.Struct({
  /** The share of the operations of the last ten minutes that are rejected or applied in part, in percent. */
  errorRatePercent: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })),
  /** How many of them there must be for that. */
  errorsMin: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
  /** How many seconds a webhook, a forward, the lake or rules about time may be behind. */
  lagSeconds: Schema.Int.check(Schema.isBetween({ minimum: 60, maximum: 604_800 })),
})
export type AlertSettings = typeof AlertSettings.Type

export const defaultAlertSettings: AlertSettings = { errorRatePercent: 5, errorsMin: 10, lagSeconds: 900 }
