import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { AuditLog } from "@inlet/core/ports/AuditLog"
import { Store } from "@inlet/core/ports/Store"
import { Settings } from "./Settings.ts"

/** The pause between two runs of housekeeping. */
const intervalMs = 1000

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
    const step = Effect.flatMap(Clock.currentTimeMillis, (now) => store.sweep(now))
    const sweep = step.pipe(
      Effect.tap(() => Effect.yieldNow),
      Effect.repeat({ until: (swept) => swept.done }),
      Effect.ignoreCause({ log: "Error", message: "housekeeping failed and will be retried" }),
    )
    yield* Effect.forkScoped(Effect.repeat(sweep, Schedule.spaced(intervalMs)))
    const prune = Effect.flatMap(Clock.currentTimeMillis, (now) => audit.prune(now, auditDays)).pipe(
      Effect.tap(() => Effect.yieldNow),
      Effect.repeat({ until: (isDone) => isDone }),
      Effect.ignoreCause({ log: "Error", message: "the audit log was not pruned; this will be retried" }),
    )
    yield* Effect.forkScoped(Effect.repeat(prune, Schedule.spaced(auditInterval)))
  }),
)
