import { Clock, Effect, Layer, Schedule } from "effect"
import { Store } from "@inlet/core/ports/Store"

/** How often the store is asked whether there is something to erase or to prune. */
const intervalMs = 1000

/**
 * Erases what was deleted and prunes what is past its window, in bounded steps between the commits of others; what a
 * crash interrupts goes on after the next start.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* Store
    const step = Effect.flatMap(Clock.currentTimeMillis, (now) => store.sweep(now))
    const sweep = step.pipe(
      Effect.tap(() => Effect.yieldNow),
      Effect.repeat({ until: (swept) => swept.done }),
      Effect.catchCause((cause) => Effect.logError("housekeeping has to wait", cause)),
    )
    yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(intervalMs)))
  }),
)
