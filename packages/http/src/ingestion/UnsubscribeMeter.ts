import { Context, Duration, Effect, Layer, Option } from "effect"
import * as RateLimiter from "effect/persistence/RateLimiter"
import type { IncomingMessage } from "node:http"
import { addressGroupOf } from "../listener/addressGroup.ts"

/**
 * The largest number of unsubscribes without credentials within `unsubscribesWindow` from the addresses of one group
 * (see `addressGroups`). All recipients behind one proxy share an address.
 */
const unsubscribesMax = 300

const unsubscribesWindow = Duration.seconds(3)

/**
 * Counts the unsubscribes without credentials of each address. They do not count towards the rate of a workspace,
 * because anyone who has received a message could use it up.
 */
export class UnsubscribeMeter extends Context.Service<
  UnsubscribeMeter,
  {
    /** Counts an unsubscribe. Returns the seconds to wait if its address has sent too many. */
    count(request: IncomingMessage): Effect.Effect<Option.Option<number>>
  }
>()("@inlet/http/ingestion/UnsubscribeMeter") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const limiter = yield* RateLimiter.RateLimiter
      return UnsubscribeMeter.of({
        count: ({ socket }) =>
          limiter
            .consume({
              key: String(addressGroupOf(socket)),
              limit: unsubscribesMax,
              window: unsubscribesWindow,
            })
            .pipe(
              Effect.as(Option.none()),
              Effect.catchTag("RateLimiterError", ({ reason }) =>
                Effect.succeed(Option.some("retryAfter" in reason ? secondsOf(reason.retryAfter) : 1)),
              ),
            ),
      })
    }),
  ).pipe(Layer.provide(RateLimiter.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))))
}

const secondsOf = (duration: Duration.Duration): number => Math.ceil(Duration.toSeconds(duration))
