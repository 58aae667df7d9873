import { assert, describe, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { Sequence } from "@inlethq/core/values/Identifier"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { insert, insertForVisitor, neededFor, truthOfRing, unite } from "../src/rule/Ring.ts"
import type { Count, Window } from "../src/rule/Rule.ts"
import type { Counted, Ring } from "../src/state/LeafState.ts"
import { propertyOptions } from "./propertyOptions.ts"
import { oneOf } from "./randomCommands.ts"

/** Something that happened: when it was received after the one before, and how long before that it happened, in days. */
const happening = Arbitrary.all({ daysLater: oneOf(0, 0, 1, 2, 9), daysAgo: oneOf(0, 0, 1, 3, 20, 50) })

const happenings = Arbitrary.array(happening, { maxLength: 40 })

const needed = oneOf(1, 2, 3, 5)

const countedOf = (given: ReadonlyArray<{ daysLater: number; daysAgo: number }>): ReadonlyArray<Counted> => {
  let day = 100
  return given.map(({ daysAgo, daysLater }, i) => {
    day += daysLater
    return { at: (day - daysAgo) * dayMs, receivedAt: day * dayMs, position: Sequence.make(i + 1) }
  })
}

/** Returns the `n` newest of all, which is what a ring must hold. */
const newest = (all: ReadonlyArray<Counted>, n: number): Ring =>
  all.toSorted((a, b) => b.at - a.at || b.position - a.position).slice(0, n)

const ringOf = (all: ReadonlyArray<Counted>, n: number): Ring =>
  all.reduce((ring, counted) => insert(ring, counted, n), [] as Ring)

describe("a ring", () => {
  it.prop(
    "holds the newest of all that happened, in whatever order it arrives",
    [happenings, needed],
    ([given, n]) => {
      const all = countedOf(given)
      assert.deepStrictEqual(ringOf(all, n), newest(all, n))
      assert.deepStrictEqual(ringOf(all.toReversed(), n), newest(all, n))
    },
    propertyOptions(500),
  )

  it.prop(
    "united with another holds the newest of both",
    [happenings, needed, oneOf(2, 3)],
    ([given, n, every]) => {
      const all = countedOf(given)
      const [one, other] = [all.filter((_, i) => i % every === 0), all.filter((_, i) => i % every !== 0)]
      assert.deepStrictEqual(unite(ringOf(one, n), ringOf(other, n), n), newest(all, n))
    },
    propertyOptions(500),
  )

  it.prop(
    "of a visitor gives a person exactly what the visitor did in the days before, or ever",
    [happenings, needed, oneOf(22, 29, 30, Infinity)],
    ([given, n, days]) => {
      const all = countedOf(given)
      const ring = all.reduce((before, counted) => insertForVisitor(before, counted, n), [] as Ring)
      const since = (all.at(-1)?.receivedAt ?? 0) - days * dayMs
      const isTaken = ({ receivedAt }: Counted) => receivedAt >= since
      assert.deepStrictEqual(unite([], ring.filter(isTaken), n), newest(all.filter(isTaken), n))
    },
    propertyOptions(1000),
  )

  const count: Arbitrary.Arbitrary<Count> = Arbitrary.all({
    operator: oneOf<Count["operator"]>("gte", "lte", "eq"),
    n: oneOf(0, 1, 2, 3),
  })

  it.prop(
    "tells whether its count holds now, and the next time at which it will not, to the millisecond",
    [happenings, count, oneOf(1, 3, 10, 60)],
    ([given, count, days]) => {
      const all = countedOf(given)
      const window: Window = { _tag: "Within", ms: days * dayMs }
      const ring = ringOf(all, neededFor(count))
      const naive = (now: number) => {
        const times = all.filter(({ at }) => at > now - window.ms).length
        return count.operator === "gte"
          ? times >= count.n
          : count.operator === "lte"
            ? times <= count.n
            : times === count.n
      }
      const now = all.at(-1)?.receivedAt ?? 0
      const { flipsAt, holds } = truthOfRing(ring, count, window, now)
      assert.strictEqual(holds, naive(now))
      const expiries = all.map(({ at }) => at + window.ms).filter((expiry) => expiry > now)
      const flips = expiries.filter((expiry) => naive(expiry) !== holds)
      assert.strictEqual(flipsAt, flips.length === 0 ? null : Math.min(...flips))
      if (flipsAt !== null) assert.strictEqual(naive(flipsAt - 1), holds)
    },
    propertyOptions(1000),
  )
})
