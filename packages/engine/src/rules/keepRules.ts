import { Effect, Layer } from "effect"
import { buildRules } from "./buildRules.ts"
import { followTime } from "./followTime.ts"
import { MayKeepRules } from "./MayKeepRules.ts"

/** The pause, in milliseconds, before the next look for work. */
export const idleMs = 250

/** The pause, in milliseconds, after a failure. */
const failedMs = 1000

/** Moves people into and out of segments when their time has come, and builds new rules, both beside the commits of requests. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const may = yield* MayKeepRules
    const keep = <E, R>(work: Effect.Effect<boolean, E, R>, message: string) => {
      const turn = Effect.flatMap(may, (isMine) => (isMine ? work : Effect.succeed(false)))
      return turn.pipe(
        Effect.flatMap((goesOn) => (goesOn ? Effect.yieldNow : Effect.sleep(idleMs))),
        Effect.catchCause((cause) => Effect.andThen(Effect.logError(message, cause), Effect.sleep(failedMs))),
        Effect.forever,
        Effect.forkScoped,
      )
    }
    yield* keep(followTime(), "the rules about people whose time has come were not evaluated")
    yield* keep(buildRules(), "the build of rules paused")
  }),
)
