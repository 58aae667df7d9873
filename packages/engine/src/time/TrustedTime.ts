import { KnownTime, type BelievedTime } from "@inlethq/core/ports/KnownTime"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { minuteMs, toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Context, Effect } from "effect"
import { believeClock, type ClockEvent } from "./believeClock.ts"

/** The pause between two records of the time in the store. */
const saveEveryMs = minuteMs

/**
 * The time by which something is deleted or given up for its age. After a jump of the clock ahead it goes on from before the jump,
 * until the jump has lasted. Everything else goes by the clock.
 */
export const TrustedTime = Context.Reference<Effect.Effect<EpochMillis>>("@inlethq/engine/time/TrustedTime", {
  defaultValue: () => Clock.currentTimeMillis,
})

/** Makes the trusted time of a server, from what its store remembers. */
export const trustedTime: Effect.Effect<Effect.Effect<EpochMillis>, StoreUnavailable> = Effect.gen(
  function* () {
    const memory = yield* KnownTime
    let known: BelievedTime | null = yield* memory.read
    let seenMs = yield* monotonicMs
    let savedMs = -Infinity
    return Effect.gen(function* () {
      const [now, nowMs] = [yield* Clock.currentTimeMillis, yield* monotonicMs]
      const before = known
      const { event, time } = believeClock(before, now, Math.round(nowMs - seenMs))
      known = time
      seenMs = nowMs
      if (event !== null) yield* tell(event, now, time.at)
      if (event !== null || nowMs - savedMs >= saveEveryMs) {
        savedMs = nowMs
        yield* Effect.ignore(memory.save(time))
      }
      return time.at
    })
  },
)

const monotonicMs = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)

const tell = (event: ClockEvent, now: EpochMillis, trusted: EpochMillis): Effect.Effect<void> => {
  switch (event) {
    case "jumped":
      return Effect.logWarning(
        "the clock has jumped ahead by more than a day; nothing is deleted for its age before it has gone on like this for a day",
        { clock: toIso(now), trusted: toIso(trusted) },
      )
    case "believed":
      return Effect.logWarning("the clock that had jumped ahead is believed now", { clock: toIso(now) })
    case "right again":
      return Effect.logInfo("the clock is right again", { clock: toIso(now) })
  }
}
