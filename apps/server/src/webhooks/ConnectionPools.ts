import { performance } from "node:perf_hooks"
import { Turns } from "@inlet/core/catalog/ReadTurns"
import { Context, Effect, Layer, Semaphore } from "effect"
import { AttemptPace } from "./AttemptPace.ts"

/**
 * The largest number of attempts in progress at the same time, of all webhooks together with a last attempt that
 * succeeded.
 */
const provenMax = 768

/**
 * The largest number of attempts in progress at the same time, of all other webhooks together: those with a last
 * attempt that failed, and those without an attempt.
 */
const unprovenMax = 256

/** Returns a function that returns the share of time that this thread was busy since its last call. */
const utilizationOfThread = (): (() => number) => {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}

/**
 * Limits the attempts in progress of all webhooks together. Webhooks with failing receivers have a smaller limit of
 * their own, so they cannot delay the other webhooks. While commits keep the thread busy, attempts also begin at a limited
 * pace.
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
      const turns = yield* Turns
      const pace = new AttemptPace(utilizationOfThread())
      const paced = Effect.flatMap(turns.isCommitting, (isCommitting) => {
        const waitMs = pace.wait(performance.now(), isCommitting)
        return waitMs > 0 ? Effect.sleep(waitMs) : Effect.void
      })
      return ConnectionPools.of({
        use: (isUnproven, attempt) =>
          (isUnproven ? unproven : proven).withPermits(1)(Effect.andThen(paced, attempt)),
      })
    }),
  )
}
