import { assert, describe, it } from "@effect/vitest"
import type { PageRequest } from "@inlethq/core/values/Page"
import { Effect } from "effect"
import { estimateUsage } from "../../src/management/workspaces/estimateUsage.ts"

/** Estimates the size of a list of numbers. Returns the estimate, and the number of items that were read. */
const estimate = (numbers: ReadonlyArray<number>, bytesOf: (number: number) => number) =>
  Effect.gen(function* () {
    let read = 0
    const usage = yield* estimateUsage({
      read: ({ after, limit, order }: PageRequest<number>) =>
        Effect.sync(() => {
          const sorted = order === "asc" ? numbers : numbers.toReversed()
          const rest = sorted.filter((number) => after === null || number > after)
          const items = rest.slice(0, limit)
          read += items.length
          return { items, next: rest.length > limit ? (items.at(-1) ?? null) : null }
        }),
      keyOf: (number) => number,
      makeKey: (number) => number,
      bytesOf,
    })
    return { ...usage, read }
  })

const varyingBytes = (number: number): number => 100 + (number % 50)

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

describe("the estimate of the space of a list", () => {
  it.effect("the estimate of the size of a short list is exact", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* estimate([], () => 1), { items: 0, bytes: 0, isExact: true })
      assert.deepInclude(yield* estimate(upTo(200), () => 10), { items: 200, bytes: 2000, isExact: true })
    }),
  )

  it.effect(
    "the estimate of the size of a long list without gaps is exact, and reads at most 457 items",
    () =>
      Effect.gen(function* () {
        const usage = yield* estimate(upTo(100_000), () => 10)
        assert.deepInclude(usage, { items: 100_000, bytes: 1_000_000, isExact: false })
        assert.isAtMost(usage.read, 457)
      }),
  )

  it.effect(
    "the estimate of the size of a list with deleted items and items of different sizes is right within a tenth",
    () =>
      Effect.gen(function* () {
        const numbers = upTo(100_000).filter((number) => number % 3 !== 0 && number > 20_000)
        const { bytes, items } = yield* estimate(numbers, varyingBytes)
        const expected = numbers.reduce((total, number) => total + varyingBytes(number), 0)
        assert.isBelow(Math.abs(items - numbers.length) / numbers.length, 0.1)
        assert.isBelow(Math.abs(bytes - expected) / expected, 0.1)
      }),
  )
})
