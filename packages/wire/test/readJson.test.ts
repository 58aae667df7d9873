import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { measure } from "../src/decoding/measure.ts"
import { readJson } from "../src/decoding/readJson.ts"
import { changedIn, mayRound } from "../src/decoding/sentText.ts"

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

const changesOf = (text: string) => changedIn(Result.getOrThrow(readJson(text)))

describe("what parsing changes", () => {
  it("names integers that lose digits, with the digits as sent", () => {
    assert.deepStrictEqual(
      changesOf('{"a":738529527931269425,"b":{"c":[1,-9007199254740993]},"d":9007199254740992}'),
      [
        { path: "a", value: 738_529_527_931_269_400, sent: "738529527931269425", why: "rounded" },
        { path: "b.c.1", value: -9_007_199_254_740_992, sent: "-9007199254740993", why: "rounded" },
      ],
    )
  })

  it("names texts with half a character, with the half written out", () => {
    assert.deepStrictEqual(changesOf(String.raw`{"a":"x\ud83d","b":["\ude00"],"c":"\ud83d\ude00"}`), [
      { path: "a", value: "x\uFFFD", sent: String.raw`x\ud83d`, why: "characters" },
      { path: "b.0", value: "\uFFFD", sent: String.raw`\ude00`, why: "characters" },
    ])
  })

  it("names keys with half a character, and what is in their values", () => {
    const text = String.raw`{"k\ud83d":{"n":12345678901234567891}}`
    assert.deepStrictEqual(Result.getOrThrow(readJson(text)), {
      "k\uFFFD": { n: 12_345_678_901_234_567_000 },
    })
    assert.deepStrictEqual(
      changesOf(text).map(({ path, sent }) => [path, sent]),
      [
        ["k\uFFFD", String.raw`k\ud83d`],
        ["k\uFFFD.n", "12345678901234567891"],
      ],
    )
  })

  it("names nothing of numbers that are read as sent, of texts and of fractions", () => {
    for (const text of [
      '{"a":"738529527931269425"}',
      '{"a":0.12345678901234567890}',
      '{"a":9007199254740993e0}',
      '{"a":9007199254740994}',
      '{"a":10000000000000000}',
      '{"a":"id 738529527931269425"}',
      String.raw`{"a":"\ud83d\ude00"}`,
    ]) {
      assert.deepStrictEqual(changesOf(text), [], text)
    }
  })

  it("finds a run of digits wherever it stands", () => {
    for (let before = 0; before < 40; before++) {
      const text = `{"${"k".repeat(before)}":9007199254740993}`
      assert.deepStrictEqual(
        changesOf(text).map(({ sent }) => sent),
        ["9007199254740993"],
        text,
      )
    }
  })

  it("parses JSON with long integers and half characters of any depth", () => {
    const deep = String.raw`[9007199254740993,"\ud83d",` + "[".repeat(100_000) + "]".repeat(100_001)
    assert.isTrue(Result.isSuccess(readJson(deep)))
  })
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

describe("which bodies are looked at value by value", () => {
  it("a body whose numbers are all read as sent is not, whatever ids and times it has", () => {
    for (const text of [
      '{"id":"e0000000000000000017"}',
      '{"id":"01J8Z3K4M5N6P7Q8R9S0T1"}',
      '{"id":"1234-0000000000000017-1"}',
      '{"timestamp":1758000000000000}',
      '{"price":0.10000000000000000}',
    ]) {
      assert.isFalse(mayRound(text), text)
    }
  })

  it("a body with a large integer is, wherever the integer stands", () => {
    for (const text of [
      "9007199254740992",
      "-9007199254740993",
      "[9007199254740993,1]",
      '{"a": 9007199254740993}',
      '{"a":9007199254740993\n}',
      "[1,\t9007199254740993 ]",
    ]) {
      assert.isTrue(mayRound(text), text)
    }
  })
})
