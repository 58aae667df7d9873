import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Clock, Context, Effect, Layer, Metric } from "effect"

/** Why calls are refused before a workspace can record them. */
export const refusalReasons = [
  "unknown_key",
  "rate_limit",
  "too_large",
  "timed_out",
  "malformed",
  "bad_framing",
  "unknown_path",
  "wrong_method",
] as const
export type RefusalReason = (typeof refusalReasons)[number]

/**
 * The largest number of pairs of reason and address that are counted. For a new one, the pair that has been refused
 * least recently joins the calls of unnamed addresses with its reason.
 */
const refusedPairsMax = 200

/** The calls of one address that were refused for one reason, since the start of the process. */
export interface RefusedCount {
  readonly reason: RefusalReason
  /** Null for the addresses that no longer have a count of their own. */
  readonly address: string | null
  readonly calls: number
  readonly lastAt: EpochMillis
}

/** Calls that were refused before their workspace was known, or could not record them. No log has an entry of them. */
export class RefusedCalls extends Context.Service<
  RefusedCalls,
  {
    count(reason: RefusalReason, address: string | null): void
    /** Returns the counts, those with the latest call first. */
    counts(): ReadonlyArray<RefusedCount>
  }
>()("@inlethq/http/listener/RefusedCalls") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const context = yield* Effect.context<never>()
      const clock = yield* Clock.Clock
      const metrics = new Map(
        refusalReasons.map((reason) => [reason, Metric.withAttributes(refusedCalls, { reason })] as const),
      )
      yield* Effect.forEach(metrics.values(), (metric) => Metric.value(metric))
      const counted = makeRefusedCounts()
      return RefusedCalls.of({
        count: (reason, address) => {
          metrics.get(reason)?.updateUnsafe(1, context)
          counted.count(reason, address, clock.currentTimeMillisUnsafe())
        },
        counts: counted.counts,
      })
    }),
  )
}

const refusedCalls = Metric.counter("inlet_refused_calls_total", {
  description: "Calls that were refused before a workspace could record them, by reason",
  incremental: true,
})

/** Counts by reason and address, at most `max` pairs beside those without an address. */
export const makeRefusedCounts = (max: number = refusedPairsMax) => {
  // A Map keeps its order of insertion, so the pair that was refused least recently comes first.
  const pairs = new Map<string, RefusedCount>()
  const unnamed = new Map<RefusalReason, RefusedCount>()

  const addUnnamed = ({ calls, lastAt, reason }: RefusedCount): void => {
    const known = unnamed.get(reason)
    unnamed.set(reason, {
      reason,
      address: null,
      calls: calls + (known?.calls ?? 0),
      lastAt: Math.max(lastAt, known?.lastAt ?? 0),
    })
  }

  return {
    count: (reason: RefusalReason, address: string | null, now: EpochMillis): void => {
      if (address === null) return addUnnamed({ reason, address, calls: 1, lastAt: now })
      const pair = `${reason} ${address}`
      const calls = (pairs.get(pair)?.calls ?? 0) + 1
      pairs.delete(pair)
      pairs.set(pair, { reason, address, calls, lastAt: now })
      if (pairs.size <= max) return
      for (const [oldest, count] of pairs) {
        pairs.delete(oldest)
        return addUnnamed(count)
      }
    },
    counts: (): ReadonlyArray<RefusedCount> =>
      [...pairs.values(), ...unnamed.values()].toSorted((a, b) => b.lastAt - a.lastAt),
  }
}
