import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  fromIso,
  fromPipelines,
  fromTrack,
  isBefore,
  toIso,
  type EpochMillis,
} from "@inlet/core/values/Timestamp"
import { propertyOptions } from "./propertyOptions.ts"

const second = Date.UTC(2023, 10, 14, 22, 13, 20)

const isoSpellings: ReadonlyArray<readonly [text: string, millis: number]> = [
  ["2023-11-14T22:13:20Z", second],
  ["2023-11-14T22:13:20z", second],
  ["2023-11-14T22:13:20.000Z", second],
  ["2023-11-14T22:13:20.1Z", second + 100],
  ["2023-11-14T22:13:20.123Z", second + 123],
  ["2023-11-14T22:13:20.123456Z", second + 123],
  ["2023-11-14T22:13:20.123999999Z", second + 123],
  ["2023-11-14T22:13:20.1234567Z", second + 123],
  ["2023-11-14T22:13:20+00:00", second],
  ["2023-11-14T22:13:20.123456+00:00", second + 123],
  ["2023-11-14T22:13:20.123456789+00:00", second + 123],
  ["2023-11-14T22:13:20+0000", second],
  ["2023-11-14T22:13:20.5-0000", second + 500],
  ["2023-11-14T23:13:20+01:00", second],
  ["2023-11-15T03:58:20+0545", second],
  ["2023-11-14T17:13:20-05", second],
  ["2023-11-14T22:13:20", second],
  ["2023-11-14T22:13:20.123", second + 123],
  ["2023-11-14 22:13:20", second],
  ["2023-11-14 22:13:20 +0000", second],
  ["2023-11-14 17:13:20 -0500", second],
  ["2023-11-14T22:13Z", second - 20_000],
  ["2023-11-14T22:13", second - 20_000],
  ["2023-11-14", Date.UTC(2023, 10, 14)],
  ["1969-12-31T23:59:59.999Z", -1],
  ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
  ["9999-12-31T23:59:59.999Z", Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
]

const noTimes: ReadonlyArray<unknown> = [
  "",
  " ",
  "now",
  "yesterday",
  "Tue, 14 Nov 2023 22:13:20 GMT",
  "2023-11",
  "2023-13-01",
  "2023-11-31",
  "2023-02-29",
  "2023-11-14T25:00:00Z",
  "2023-11-14T22:60:00Z",
  "2023-11-14T22:13:20.Z",
  "2023-11-14T22:13:20+99:00",
  "2023-11-14T22:13:20Z trailing",
  "14/11/2023",
  "1e9",
  "0x10",
  "-",
  "Infinity",
  "NaN",
  "９",
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1e300,
  null,
  undefined,
  true,
  false,
  {},
  [],
  [1_700_000_000],
  new Date(0),
]

describe("ISO 8601", () => {
  it.each(isoSpellings)("%s is read by all protocols", (text, millis) => {
    assert.strictEqual(fromIso(text), millis)
    assert.strictEqual(fromTrack(text), millis)
    assert.strictEqual(fromPipelines(text), millis)
  })

  it.prop(
    "a time does not change if it is formatted as text and read again",
    [Schema.Int.check(Schema.isBetween({ minimum: -62_167_219_200_000, maximum: 253_402_300_799_999 }))],
    ([millis]) => {
      assert.strictEqual(fromIso(toIso(millis)), millis)
      assert.strictEqual(fromTrack(toIso(millis)), millis)
    },
    propertyOptions(300),
  )
})

describe("Track times", () => {
  it.each([
    [1_700_000_000, second],
    [1_700_000_000.999, second],
    ["1700000000", second],
    ["1700000000.999", second],
    ["01700000000", second],
    [0, 0],
    ["0", 0],
    [-1, -1000],
    [-0.5, -1000],
    [99_999_999_999, 99_999_999_999_000],
    [100_000_000_000, 100_000_000_000],
    [1_700_000_000_123, second + 123],
    [1_700_000_000_123.9, second + 123],
    ["1700000000123", second + 123],
    [8.64e15, 8.64e15],
  ] as const)("reads %s as seconds, or as milliseconds from 1e11 on, rounded down", (value, millis) => {
    assert.strictEqual(fromTrack(value), millis)
  })

  it.each(noTimes.map((value) => [value]))("%s is not a time", (value) => {
    assert.isUndefined(fromTrack(value))
  })

  it("a Track time outside the range of dates is rejected", () => {
    assert.isUndefined(fromTrack(8.64e15 + 2))
    assert.isUndefined(fromTrack("99999999999999999999"))
  })
})

describe("Pipelines times", () => {
  it.each([
    [1_700_000_000, second],
    [1_700_000_000.123, second + 123],
    [1_700_000_000_123, second + 123],
    [99_999_999_999, 99_999_999_999_000],
    [100_000_000_000, 100_000_000_000],
    [0, 0],
  ] as const)("reads %s as seconds, or as milliseconds from 1e11 on", (value, millis) => {
    assert.strictEqual(fromPipelines(value), millis)
  })

  it.each(noTimes.map((value) => [value]))("%s is not a time", (value) => {
    assert.isUndefined(fromPipelines(value))
    assert.isUndefined(fromIso(value))
  })
})

const checkOrder = (title: string, at: EpochMillis, other: EpochMillis, before: boolean): void =>
  it(title, () => {
    assert.strictEqual(isBefore(at, other), before)
  })

describe("comparing two times", () => {
  checkOrder("two times with milliseconds are compared by milliseconds", second + 1, second + 2, true)
  checkOrder("a later time is not before an earlier one", second + 2, second + 1, false)
  checkOrder("a time is not before itself", second + 1, second + 1, false)
  checkOrder("a whole second is not before a millisecond within it", second, second + 999, false)
  checkOrder(
    "a time with milliseconds is not before the whole second that contains it",
    second + 999,
    second,
    false,
  )
  checkOrder("a whole second is before the next second", second, second + 1000, true)
  checkOrder("a millisecond is before the next whole second", second + 999, second + 1000, true)
  checkOrder(
    "a whole second is not before a millisecond of the previous second",
    second + 1000,
    second + 999,
    false,
  )
  checkOrder("times before 1970 are ordered too", -1001, -1000, true)
  checkOrder(
    "a time before 1970 with milliseconds is compared by the whole second before it",
    -1000,
    -1,
    false,
  )
})

describe("reading any value", () => {
  it.prop(
    "the functions that read times return, for any value, a time in the range of dates or undefined",
    [Schema.Union([Schema.Json, Schema.Finite, Schema.String])],
    ([value]) => {
      for (const read of [fromTrack, fromPipelines, fromIso]) {
        const millis = read(value)
        if (millis === undefined) continue
        assert.isTrue(Number.isInteger(millis))
        assert.isAtMost(Math.abs(millis), 8.64e15)
      }
    },
    propertyOptions(1000),
  )
})
