import { Duration, Effect, Layer, Schedule } from "effect"
import { AuditLog } from "@inlethq/core/ports/AuditLog"
import { Store } from "@inlethq/core/ports/Store"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { whileFit } from "@inlethq/engine/whileFit"
import { Settings } from "./Settings.ts"

/** The pause between two runs of housekeeping. */
const intervalMs = 1000

/**
 * The pause between two runs while there is work. Readers look at each of the newest entries until housekeeping has indexed
 * them, so it must not fall behind.
 */
const busyIntervalMs = 200

/** The number of short pauses after a run that had work. */
const busyRuns = 10

/** The pause between two runs of pruning the audit log, whose records are kept for days. */
const auditInterval = Duration.hours(1)

/**
 * Erases the rows of deleted people and objects, and deletes data at the end of its retention time. Housekeeping runs
 * in bounded steps between the commits of requests, and resumes after a crash.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* Store
    const audit = yield* AuditLog
    const { auditDays } = yield* Settings
    const trusted = yield* TrustedTime
    const step = Effect.flatMap(trusted, (now) => store.sweep(now))
    let shortPauses = 0
    const sweep = Effect.suspend(() => {
      shortPauses = Math.max(0, shortPauses - 1)
      return step.pipe(
        Effect.tap(({ done }) => {
          if (!done) shortPauses = busyRuns
          return Effect.yieldNow
        }),
        Effect.repeat({ until: (swept) => swept.done }),
        Effect.ignoreCause({ log: "Error", message: "housekeeping failed and will be retried" }),
      )
    })
    const pause = Effect.suspend(() => Effect.sleep(shortPauses > 0 ? busyIntervalMs : intervalMs))
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(whileFit(sweep), pause)))
    const prune = Effect.flatMap(trusted, (now) => audit.prune(now, auditDays)).pipe(
      Effect.tap(() => Effect.yieldNow),
      Effect.repeat({ until: (isDone) => isDone }),
      Effect.ignoreCause({ log: "Error", message: "the audit log was not pruned; this will be retried" }),
    )
    yield* Effect.forkScoped(Effect.repeat(whileFit(prune), Schedule.spaced(auditInterval)))
  }),
)
