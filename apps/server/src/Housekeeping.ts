import { Clock, Effect, Layer, Schedule } from "effect"
import { Store } from "@inlet/core/ports/Store"

/** The pause between two runs of housekeeping. */
const intervalMs = 1000

/**
 * Erases the rows of deleted people and objects, and deletes data at the end of its retention time. Housekeeping runs
 * in bounded steps between the commits of requests, and resumes after a crash.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* Store
    const step = Effect.flatMap(Clock.currentTimeMillis, (now) => store.sweep(now))
    const sweep = step.pipe(
      Effect.tap(() => Effect.yieldNow),
      Effect.repeat({ until: (swept) => swept.done }),
      Effect.ignoreCause({ log: "Error", message: "housekeeping failed and will be retried" }),
    )
    yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(intervalMs)))
  }),
)
