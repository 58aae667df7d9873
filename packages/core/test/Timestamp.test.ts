import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  isBefore,
  isIsoTime,
  isStale,
  readTime,
  readTimeOfAnyYear,
  timesEnd,
  toIso,
  type EpochMillis,
} from "@inlethq/core/values/Timestamp"
import { propertyOptions } from "./propertyOptions.ts"

const second = Date.UTC(2023, 10, 14, 22, 13, 20)

const isoSpellings: ReadonlyArray<readonly [text: string, millis: number]> = [
  ["2023-11-14T22:13:20Z", second],
  ["2023-11-14T22:13:20z", second],
  ["2023-11-14t22:13:20z", second],
  ["2023-11-14T22:13:20.000Z", second],
  ["2023-11-14T22:13:20.1Z", second + 100],
  ["2023-11-14T22:13:20,1Z", second + 100],
  ["2023-11-14T22:13:20.123Z", second + 123],
  ["2023-11-14T22:13:20.123456Z", second + 123],
  ["2023-11-14T22:13:20.123999999Z", second + 123],
  ["2023-11-14T22:13:20+00:00", second],
  ["2023-11-14T22:13:20.123456+00:00", second + 123],
  ["2023-11-14T22:13:20+0000", second],
  ["2023-11-14T22:13:20.5-0000", second + 500],
  ["2023-11-14T23:13:20+01:00", second],
  ["2023-11-15T03:58:20+0545", second],
  ["2023-11-14T17:13:20-05", second],
  ["2023-11-15T00:13:20+02", second],
  ["2023-11-14T22:13:20", second],
  ["2023-11-14T22:13:20.123", second + 123],
  ["2023-11-14 22:13:20", second],
  ["2023-11-14 22:13:20 +0000", second],
  ["2023-11-14 17:13:20 -0500", second],
  ["2023-11-14 22:13:20 UTC", second],
  ["2023-11-14 22:13:20.123456 UTC", second + 123],
  ["2023-11-14 22:13:20 +0000 UTC", second],
  ["2023-11-14 23:13:20.5 +0100 CET", second + 500],
  ["2023-11-14T22:13Z", second - 20_000],
  ["2023-11-14T22:13", second - 20_000],
  ["2023-11-14T24:00:00Z", Date.UTC(2023, 10, 15)],
  ["20231114T221320Z", second],
  ["20231114t221320z", second],
  ["20231114T221320.5+0000", second + 500],
  ["20231114T2213", second - 20_000],
  ["20231114T22:13:20Z", second],
  ["2023-11-14", Date.UTC(2023, 10, 14)],
  ["1970-01-01T00:00:00Z", 0],
  ["1970-01-01T01:00:00+01:00", 0],
  ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
  ["2200-12-31T23:59:59.999Z", timesEnd - 1],
]

const numbers: ReadonlyArray<readonly [value: number | string, millis: number]> = [
  [1_700_000_000, second],
  [1_700_000_000.999, second],
  ["1700000000", second],
  ["1700000000.999", second],
  ["01700000000", second],
  [0, 0],
  [-0, 0],
  ["0", 0],
  [7_289_654_399, timesEnd - 1000],
  [100_000_000_000, 100_000_000_000],
  ["100000000000", 100_000_000_000],
  [1_700_000_000_123, second + 123],
  [1_700_000_000_123.9, second + 123],
  ["1700000000123", second + 123],
  [100_000_000_000_000, 100_000_000_000],
  [1_700_000_000_123_456, second + 123],
  ["1700000000123456", second + 123],
  [100_000_000_000_000_000, 100_000_000_000],
  ["1700000000123456789", second + 123],
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
  "20230229T000000Z",
  "2023-11-14T25:00:00Z",
  "2023-11-14T24:00:01Z",
  "2023-11-14T22:60:00Z",
  "2023-11-14T22:13:60Z",
  "2023-11-14T22:13:20.Z",
  "2023-11-14T22:13.5Z",
  "2023-11-14T22:13:20.1234567891Z",
  "2023-11-14T22:13:20+99:00",
  "2023-11-14T22:13:20+01:60",
  "2023-11-14T22:13:20 PST",
  "2023-11-14T22:13:20Z trailing",
  "0027-11-28T10:00:00 PM",
  "2023-11-14\n",
  "14/11/2023",
  "1e9",
  "0x10",
  "-",
  "-5",
  "+5",
  "Infinity",
  "NaN",
  "９",
  -1,
  -0.5,
  "1969-12-31T23:59:59.999Z",
  "1970-01-01T00:00:00+01:00",
  "2201-01-01",
  "2569-11-28T10:00:00Z",
  "9999-12-31T23:59:59.999Z",
  7_289_654_400,
  99_999_999_999,
  8.64e15 * 1e6,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1e300,
  "9".repeat(400),
  null,
  undefined,
  true,
  false,
  {},
  [],
  [1_700_000_000],
  new Date(0),
]

describe("the reader of times", () => {
  it.each(isoSpellings)("reads %s", (text, millis) => {
    assert.strictEqual(readTime(text), millis)
    assert.isTrue(isIsoTime(text))
  })

  it.each(numbers)("reads the number %s as seconds, or in the unit that its size says", (value, millis) => {
    assert.isTrue(Object.is(readTime(value), millis))
    assert.isFalse(isIsoTime(value))
  })

  it.each(noTimes.map((value) => [value]))("%s is not a time", (value) => {
    assert.isUndefined(readTime(value))
    assert.isFalse(isIsoTime(value))
  })

  it.each([
    ["1969-12-31T23:59:59.999Z", -1],
    [-0.5, -1000],
    ["1815-12-10", Date.UTC(1815, 11, 10)],
    ["9999-12-31T23:59:59.999Z", Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
  ] as const)("a value that dates no operation may be of any year, as %s", (value, millis) =>
    assert.strictEqual(readTimeOfAnyYear(value), millis),
  )

  it.prop(
    "every spelling of a moment gives the same time",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: timesEnd - 1 })),
      Schema.Int.check(Schema.isBetween({ minimum: -23 * 60, maximum: 23 * 60 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999 })),
    ],
    ([millis, offset, beyond]) => {
      for (const text of spellingsOf(millis, offset, beyond))
        assert.strictEqual(readTime(text), millis, String(text))
      for (const text of spellingsOfSeconds(millis, offset))
        assert.strictEqual(readTime(text), Math.floor(millis / 1000) * 1000, String(text))
    },
    propertyOptions(300),
  )

  it.prop(
    "returns, for any value, a time from 1970 to 2200 or undefined",
    [Schema.Union([Schema.Json, Schema.Finite, Schema.String])],
    ([value]) => {
      const millis = readTime(value)
      if (millis === undefined) return
      assert.isTrue(Number.isInteger(millis))
      assert.isAtLeast(millis, 0)
      assert.isBelow(millis, timesEnd)
    },
    propertyOptions(1000),
  )
})

const two = (number: number) => String(number).padStart(2, "0")

interface Clock {
  readonly day: string
  readonly clock: string
  readonly zone: (colon: string) => string
}

/** Returns the day and the clock, to the second, in a zone that is `offset` minutes ahead of UTC. */
const wallClock = (millis: number, offset: number): Clock => {
  const local = new Date(millis + offset * 60_000)
  const sign = offset < 0 ? "-" : "+"
  const away = Math.abs(offset)
  return {
    day: `${local.getUTCFullYear()}-${two(local.getUTCMonth() + 1)}-${two(local.getUTCDate())}`,
    clock: `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`,
    zone: (colon) => `${sign}${two(Math.floor(away / 60))}${colon}${two(away % 60)}`,
  }
}

const isOfFourDigits = ({ day }: Clock) => /^\d{4}-/.test(day)

/** Returns spellings that say milliseconds. `beyond` are the digits after them. */
const spellingsOf = (millis: number, offset: number, beyond: number): ReadonlyArray<string | number> => {
  const here = wallClock(millis, offset)
  const utc = wallClock(millis, 0)
  const fraction = `${String(millis % 1000).padStart(3, "0")}${String(beyond).padStart(6, "0")}`
  const spelled = [here, utc]
    .filter(isOfFourDigits)
    .flatMap(({ clock, day, zone }) =>
      ["T", "t", " "].flatMap((between) =>
        [".", ","].flatMap((point) =>
          ["", ":"].flatMap((colon) => [
            `${day}${between}${clock}${point}${fraction}${zone(colon)}`,
            `${day}${between}${clock}${point}${fraction} ${zone(colon)}`,
            `${day.replaceAll("-", "")}${between}${clock.replaceAll(":", "")}${point}${fraction}${zone(colon)}`,
          ]),
        ),
      ),
    )
  const moment = `${utc.day}T${utc.clock}.${fraction}`
  const units =
    millis < 1e11
      ? []
      : [
          millis,
          String(millis),
          `${millis}.${beyond}`,
          millis * 1000,
          `${millis}${String(beyond).padStart(6, "0")}`,
        ]
  return [
    ...spelled,
    toIso(millis),
    moment,
    `${moment}Z`,
    `${moment}z`,
    `${moment} UTC`,
    `${moment} +0000 UTC`,
    ...units,
  ]
}

/** Returns spellings that say seconds only, or that round down to them. */
const spellingsOfSeconds = (millis: number, offset: number): ReadonlyArray<string | number> => {
  const seconds = Math.floor(millis / 1000)
  const { clock, day, zone } = wallClock(millis, offset)
  const utc = wallClock(millis, 0)
  return [
    seconds,
    String(seconds),
    millis / 1000,
    `${seconds}.${String(millis % 1000).padStart(3, "0")}`,
    `${utc.day} ${utc.clock} UTC`,
    `${utc.day}T${utc.clock}`,
    ...(isOfFourDigits({ clock, day, zone })
      ? [`${day}T${clock}${zone(":")}`, `${day} ${clock} ${zone("")}`]
      : []),
  ]
}

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

describe("whether an update is older than a stored value", () => {
  const receivedAt = second
  it("it is if its time is earlier", () => assert.isTrue(isStale(second - 2000, second - 1000, receivedAt)))

  it("it is not if the stored time lies ahead and the update is dated at its receipt", () =>
    assert.isFalse(isStale(receivedAt, second + 1e9, receivedAt)))

  it("it is if the stored time lies ahead and the update is dated before its receipt", () =>
    assert.isTrue(isStale(second - 1000, second + 1e9, receivedAt)))
})
