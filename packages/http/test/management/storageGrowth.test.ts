import { assert, describe, it } from "@effect/vitest"
import { dayMs, hourMs, minuteMs } from "@inlethq/core/values/Timestamp"
import { storageGrowth } from "../../src/management/server/storageGrowth.ts"

const gigabyte = 1e9

describe("the growth of the store", () => {
  it("tells the days until the disk is full at the rate of the readings", () =>
    assert.deepStrictEqual(
      storageGrowth(
        [
          { at: 0, bytes: gigabyte },
          { at: hourMs, bytes: null },
          { at: 6 * hourMs, bytes: 1.5 * gigabyte },
        ],
        20 * gigabyte,
      ),
      {
        bytes: 1.5 * gigabyte,
        free_bytes: 20 * gigabyte,
        bytes_per_day: 2 * gigabyte,
        measured_seconds: 6 * 3600,
        days_left: 10,
      },
    ))

  it("tells a growth but no days if nobody knows how much is free", () => {
    const { bytes_per_day, days_left } = storageGrowth(
      [
        { at: 0, bytes: 0 },
        { at: dayMs / 2, bytes: gigabyte },
      ],
      null,
    )
    assert.deepStrictEqual([bytes_per_day, days_left], [2 * gigabyte, null])
  })

  it("tells neither before ten minutes have passed, nor without a size", () => {
    const soon = storageGrowth(
      [
        { at: 0, bytes: 1 },
        { at: 10 * minuteMs - 1, bytes: 2 },
      ],
      gigabyte,
    )
    assert.deepStrictEqual([soon.bytes_per_day, soon.days_left], [null, null])
    const none = storageGrowth([{ at: dayMs, bytes: null }], gigabyte)
    assert.deepStrictEqual([none.bytes, none.bytes_per_day, none.days_left], [null, null, null])
  })

  it("a store that does not grow is never full", () => {
    const shrinking = storageGrowth(
      [
        { at: 0, bytes: 2 },
        { at: hourMs, bytes: 1 },
      ],
      gigabyte,
    )
    assert.deepStrictEqual([shrinking.bytes_per_day, shrinking.days_left], [-24, null])
  })
})
