import { Registry } from "@inlethq/core/ports/Registry"
import { minuteMs, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Context, Effect, Exit, Layer, Schedule } from "effect"
import type { CachedKey } from "./KeyCache.ts"

/** The pause between two writes of the recorded uses. */
const intervalMs = minuteMs

/** The largest number of keys whose use waits to be written. Further keys are recorded when they are used again. */
const waitingMax = 10_000

/** The longest time for which a stopping server tries to write the recorded uses. */
const stopMax = "2 seconds"

/**
 * Records in which minute keys were last used. The uses are collected in memory and written together, at most once a
 * minute and when the server stops, so that requests do not pay for it. After a crash the last minute is missing.
 */
export class KeyUses extends Context.Service<
  KeyUses,
  {
    /** Records a use of the key and marks the cached key, so that its next uses need not be recorded. */
    record(key: CachedKey): Effect.Effect<void>
  }
>()("@inlethq/http/credentials/KeyUses") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const registry = yield* Registry
      let waiting = new Map<string, EpochMillis>()
      const note = (keyId: string, at: EpochMillis): void => {
        if (waiting.size >= waitingMax && !waiting.has(keyId)) return
        waiting.set(keyId, Math.max(at, waiting.get(keyId) ?? 0))
      }
      const write = Effect.suspend(() => {
        const uses = waiting
        waiting = new Map()
        if (uses.size === 0) return Effect.void
        return registry.recordUses(Array.from(uses, ([keyId, at]) => ({ keyId, at }))).pipe(
          Effect.onExit((exit) =>
            Effect.sync(() => {
              if (Exit.isFailure(exit)) for (const [keyId, at] of uses) note(keyId, at)
            }),
          ),
        )
      })
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(write, stopMax)))
      yield* Effect.forkScoped(
        Effect.repeat(
          Effect.ignoreCause(write, { log: "Debug", message: "the use of keys will be recorded later" }),
          Schedule.spaced(intervalMs),
        ),
      )
      return KeyUses.of({
        record: (cached) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            cached.isUsed = true
            const minute = now - (now % minuteMs)
            if (minute > (cached.key.lastUsedAt ?? 0)) note(cached.key.keyId, minute)
          }),
      })
    }),
  )
}
