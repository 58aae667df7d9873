import { Duration, Effect, Layer, Option } from "effect"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { addressGroupOf } from "./addressGroup.ts"

/** How often the addresses of one group (see `addressGroups`) may do something. */
export interface AddressLimit {
  /** Says what is counted. Meters share a store, and count separately because their names differ. */
  readonly name: string
  readonly max: number
  readonly window: Duration.Duration
}

/** Counts an act of an address. Returns the seconds to wait if its group has reached the limit. */
export type AddressMeter = (address: string | null) => Effect.Effect<Option.Option<number>>

export const makeAddressMeter = ({
  max,
  name,
  window,
}: AddressLimit): Effect.Effect<AddressMeter, never, RateLimiter.RateLimiter> =>
  RateLimiter.RateLimiter.useSync(
    (limiter) => (address) =>
      limiter.consume({ key: `${name} ${addressGroupOf(address)}`, limit: max, window }).pipe(
        Effect.as(Option.none()),
        Effect.catchTag("RateLimiterError", ({ reason }) =>
          Effect.succeedSome(secondsOf("retryAfter" in reason ? reason.retryAfter : window)),
        ),
      ),
  )

const secondsOf = (duration: Duration.Duration): number => Math.ceil(Duration.toSeconds(duration))

/** The counters, in memory. Every server has one of these. */
export const addressCounters = RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))
