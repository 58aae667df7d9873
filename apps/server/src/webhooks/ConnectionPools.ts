import { Context, Effect, Layer, Semaphore } from "effect"

/** Attempts in progress at once, for webhooks whose last attempt succeeded. */
const provenMax = 768

/** Attempts in progress at once, for webhooks whose last attempt failed or that have made none. */
const unprovenMax = 256

/**
 * Bounds the attempts in progress of all webhooks. Webhooks with receivers that fail share fewer connections of their own, so they do
 * not delay the others, however many they are.
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
