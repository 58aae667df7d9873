import { performance } from "node:perf_hooks"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Context, Effect, Latch, Layer, Semaphore } from "effect"
import { AttemptPace, paceIntervalMs } from "./AttemptPace.ts"

/** Webhooks with a successful last attempt may together have at most this many attempts in progress. */
const provenMax = 768

/**
 * Webhooks with a failed last attempt and webhooks without any attempt yet may together have at most this many attempts
 * in progress.
 */
const unprovenMax = 256

/**
 * Returns a function that measures how busy the thread is. Each call returns the share of time that the thread was busy
 * since the previous call.
 */
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
  { use<A, R>(isUnproven: boolean, attempt: Effect.Effect<A, never, R>): Effect.Effect<A, never, R> }
>()("@inlethq/outbound/sending/ConnectionPools") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const proven = yield* Semaphore.make(provenMax)
      const unproven = yield* Semaphore.make(unprovenMax)
      const paced = yield* makePaced
      return ConnectionPools.of({
        use: (isUnproven, attempt) =>
          (isUnproven ? unproven : proven).withPermits(1)(Effect.andThen(paced, attempt)),
      })
    }),
  )
}

/**
 * Makes an effect that waits until the `AttemptPace` allows one more attempt. Waiting attempts begin in the order of
 * arrival.
 */
const makePaced = Effect.gen(function* () {
  const turns = yield* Turns
  const pace = new AttemptPace(utilizationOfThread())
  const arrival = yield* Latch.make(false)
  // Attempts that wait until the pace allows them to begin. Each of them already counts as an attempt in progress,
  // which limits their number.
  const waiting = new Set<(turn: Effect.Effect<void>) => void>()
  const mayBegin = Effect.map(turns.isCommitting, (isCommitting) =>
    pace.mayBegin(performance.now(), isCommitting),
  )

  const beginWaiting = Effect.gen(function* () {
    yield* arrival.await
    yield* Effect.sleep(paceIntervalMs)
    for (const begin of waiting) {
      if (!(yield* mayBegin)) break
      waiting.delete(begin)
      begin(Effect.void)
    }
    // No effect may run between this check and `closeUnsafe`. Otherwise, an attempt could arrive in between, and
    // nothing would wake it.
    if (waiting.size === 0) arrival.closeUnsafe()
  })
  yield* Effect.forkScoped(Effect.forever(beginWaiting))

  const turn = Effect.callback<void>((begin) => {
    waiting.add(begin)
    arrival.openUnsafe()
    return Effect.sync(() => waiting.delete(begin))
  })

  return Effect.gen(function* () {
    if (waiting.size === 0 && (yield* mayBegin)) return
    yield* turn
  })
})
