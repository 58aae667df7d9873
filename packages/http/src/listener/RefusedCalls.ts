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
  "sends_messages",
] as const
export type RefusalReason = (typeof refusalReasons)[number]

/**
 * The largest number of combinations of reason, address and unknown key that are counted. For a new one, the one that has
 * been refused least recently joins the calls of unnamed addresses with its reason.
 */
const refusedCombinationsMax = 200

/** Who sent a call with an unknown key, as far as the call says. */
export interface UnknownSender {
  /** The site id, or the start of a write key. */
  readonly key: string | null
  /** The method and the path with its parameters by name. */
  readonly route: string | null
  readonly userAgent: string | null
}

const noSender: UnknownSender = { key: null, route: null, userAgent: null }

/** The calls of one address that were refused for one reason, since the start of the process. Of the sender, the latest is known. */
export interface RefusedCount extends UnknownSender {
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
    count(reason: RefusalReason, address: string | null, sender?: UnknownSender): void
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
        count: (reason, address, sender) => {
          metrics.get(reason)?.updateUnsafe(1, context)
          counted.count(reason, address, clock.currentTimeMillisUnsafe(), sender)
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

/** Counts by reason, address and unknown key, at most `max` combinations beside those without an address. */
export const makeRefusedCounts = (max: number = refusedCombinationsMax) => {
  // A Map keeps its order of insertion, so the combination that was refused least recently comes first.
  const named = new Map<string, RefusedCount>()
  const unnamed = new Map<RefusalReason, RefusedCount>()

  const addUnnamed = ({ calls, lastAt, reason }: Pick<RefusedCount, "calls" | "lastAt" | "reason">): void => {
    const known = unnamed.get(reason)
    unnamed.set(reason, {
      reason,
      address: null,
      ...noSender,
      calls: calls + (known?.calls ?? 0),
      lastAt: Math.max(lastAt, known?.lastAt ?? 0),
    })
  }

  return {
    count: (
      reason: RefusalReason,
      address: string | null,
      now: EpochMillis,
      sender: UnknownSender = noSender,
    ): void => {
      if (address === null) return addUnnamed({ reason, calls: 1, lastAt: now })
      const combination = JSON.stringify([reason, address, sender.key])
      const calls = (named.get(combination)?.calls ?? 0) + 1
      named.delete(combination)
      named.set(combination, { reason, address, ...sender, calls, lastAt: now })
      if (named.size <= max) return
      for (const [oldest, count] of named) {
        named.delete(oldest)
        return addUnnamed(count)
      }
    },
    counts: (): ReadonlyArray<RefusedCount> =>
      [...named.values(), ...unnamed.values()].toSorted((a, b) => b.lastAt - a.lastAt),
  }
}
