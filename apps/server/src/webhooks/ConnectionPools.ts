import { Context, Effect, Layer, Semaphore } from "effect"

/** The most attempts in progress at the same time, over all webhooks whose last attempt succeeded. */
const provenMax = 768

/**
 * The most attempts in progress at the same time, over all webhooks whose last attempt failed or that have made no
 * attempt.
 */
const unprovenMax = 256

/**
 * Limits the attempts in progress of all webhooks together. Webhooks with failing receivers have a smaller limit of
 * their own, so they cannot delay the other webhooks.
 */
export class ConnectionPools extends Context.Service<
  ConnectionPools,
  { use<A>(isUnproven: boolean, attempt: Effect.Effect<A>): Effect.Effect<A> }
>()("@inlet/server/webhooks/ConnectionPools") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const proven = yield* Semaphore.make(provenMax)
      const unproven = yield* Semaphore.make(unprovenMax)
      return ConnectionPools.of({
        use: (isUnproven, attempt) => (isUnproven ? unproven : proven).withPermits(1)(attempt),
      })
    }),
  )
}
