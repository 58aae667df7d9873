import { assert, describe, it } from "@effect/vitest"
import { hasColour } from "@inlethq/runtime/colour"
import { afterEach, vi } from "vitest"
import { escaped } from "../src/output/JsonOutput.ts"
import { columnsOf } from "../src/output/Screen.ts"
import { dateTime, fullTime, timeOfDay, zoneName, type TimeStyle } from "../src/output/times.ts"

afterEach(() => vi.unstubAllEnvs())

describe("the width of a terminal", () => {
  it.each([
    ["", 120, 120],
    ["", 0, 80],
    ["", undefined, 80],
    ["100", 120, 100],
    ["100", 0, 100],
    ["0", 120, 120],
    ["wide", 120, 120],
  ])("with COLUMNS=%j and a terminal of %j columns, the width is %j", (variable, reported, expected) => {
    vi.stubEnv("COLUMNS", variable)
    assert.strictEqual(columnsOf(reported === undefined ? {} : { columns: reported }), expected)
  })
})

describe("colours", () => {
  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "" }, true, true],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ TERM: "dumb" }, true, false],
  ])("with %j and a terminal: %j, a stream has colours: %j", (variables, isTTY, expected) => {
    const all = { FORCE_COLOR: "", NO_COLOR: "", TERM: "xterm", ...variables }
    for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value)
    assert.strictEqual(hasColour({ isTTY }), expected)
  })
})

describe("times", () => {
  const at = "2026-01-31T23:30:00.000Z"
  const local: TimeStyle = { isUtc: false, isForPeople: true, now: Date.parse("2026-02-01T08:00:00Z") }

  it("times are in the local time zone with its offset, or in UTC", () => {
    vi.stubEnv("TZ", "Europe/Berlin")
    assert.strictEqual(fullTime(local, at), "2026-02-01 00:30:00 +01:00")
    assert.strictEqual(zoneName(local), "Europe/Berlin")
    assert.strictEqual(fullTime({ ...local, isUtc: true }, at), "2026-01-31 23:30:00 UTC")
    assert.strictEqual(zoneName({ ...local, isUtc: true }), "UTC")
    assert.strictEqual(dateTime({ ...local, isForPeople: false }, at), "2026-02-01T00:30:00+01:00")
  })

  it("a time has its date unless it is today in the shown time zone", () => {
    vi.stubEnv("TZ", "Europe/Berlin")
    assert.strictEqual(timeOfDay(local, at), "00:30:00")
    assert.strictEqual(timeOfDay({ ...local, isUtc: true }, at), "2026-01-31 23:30:00")
  })

  it("offsets west of Greenwich and of half hours are shown", () => {
    vi.stubEnv("TZ", "America/St_Johns")
    assert.strictEqual(fullTime(local, at), "2026-01-31 20:00:00 -03:30")
  })
})

describe("JSON on a terminal", () => {
  it("control characters and marks of text direction in JSON are escaped", () => {
    const document = { "a\u009b": "b\u202e\u2066c\u0000\u2028" }
    const shown = escaped(JSON.stringify(document))
    assert.match(shown, /^[ -~]+$/)
    assert.deepStrictEqual(JSON.parse(shown), document)
  })
})
