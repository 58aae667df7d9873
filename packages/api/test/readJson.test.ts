import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { measure } from "../src/wire/measure.ts"
import { readJson } from "@inlet/api/wire/readJson"

describe("readJson", () => {
  for (const [text, value] of [
    [String.raw`{"a":"\ud83d\ude00"}`, { a: "😀" }],
    [String.raw`"\ud83d"`, "\ufffd"],
    [String.raw`"\uDE00\uD83Dx"`, "\ufffd\ufffdx"],
    [String.raw`"\ud83d\ud83d\ude00"`, "\ufffd😀"],
    [String.raw`"\\ud83d"`, String.raw`\ud83d`],
    [String.raw`"\\\ud83d\n"`, "\\\ufffd\n"],
    ['{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ] as const) {
    it(`the function readJson parses ${text} and replaces lone surrogates`, () =>
      assert.deepStrictEqual(Result.getOrThrow(readJson(text)), value))
  }

  it("`readJson` fails on a text that is not JSON", () => {
    for (const text of ["", "{", '{"a":}', String.raw`"\ud83"`, "undefined"]) {
      assert.isTrue(Result.isFailure(readJson(text)), text)
    }
  })

  it("`readJson` parses JSON of any depth", () =>
    assert.isTrue(Result.isSuccess(readJson("[".repeat(100_000) + "]".repeat(100_000)))))
})

const nested = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth))

describe("measure", () => {
  it("`measure` compares the bytes of a value's JSON with the limit", () => {
    for (const value of [
      "",
      "é€😀",
      '\u0001\n"',
      { a: [1, null, true, "é"] },
      JSON.parse('{"__proto__":[-1.5e300]}'),
      [[]],
    ]) {
      const bytes = new TextEncoder().encode(JSON.stringify(value)).length
      assert.strictEqual(measure(value, bytes), "fits")
      assert.strictEqual(measure(value, bytes - 1), "too_large")
    }
  })

  it("`measure` reports a value that is nested deeper than the limit", () => {
    assert.strictEqual(measure(nested(100), 1_000_000), "fits")
    assert.strictEqual(measure(nested(101), 1_000_000), "unfit")
    assert.strictEqual(measure(nested(50_000), 10), "unfit")
    assert.strictEqual(measure({ a: [Infinity] }, 1_000_000), "unfit")
  })
})
