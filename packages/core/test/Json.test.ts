import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { exceedsBytes, isJsonObject, sameJson, utf8Bytes } from "@inlethq/core/values/Json"
import { propertyOptions } from "./propertyOptions.ts"
import { oneOf } from "./scripts.ts"

const encoder = new TextEncoder()
const bytesOf = (text: string): number => encoder.encode(text).length

/** Texts with characters of every UTF-8 length, and with paired and lone surrogates. */
const texts = Arbitrary.array(
  oneOf("a", "\u007f", "\u0080", "ß", "\u07ff", "\u0800", "€", "\uffff", "\ud83d", "\ude00", "😀", "\u0000"),
  { maxLength: 12 },
).pipe(Arbitrary.map((parts) => parts.join("")))

describe("bytes of UTF-8", () => {
  it.prop(
    "the count of UTF-8 bytes equals the bytes that TextEncoder writes, including lone surrogates",
    [texts],
    ([text]) => {
      assert.strictEqual(utf8Bytes(text), bytesOf(text))
    },
    propertyOptions(2000),
  )

  it.prop(
    "the count of UTF-8 bytes equals the bytes that TextEncoder writes for any text",
    [Schema.String],
    ([text]) => {
      assert.strictEqual(utf8Bytes(text), bytesOf(text))
    },
    propertyOptions(500),
  )

  it.prop(
    "exceedsBytes is true exactly if there are more bytes than the limit",
    [texts, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50 }))],
    ([text, max]) => {
      assert.strictEqual(exceedsBytes(text, max), bytesOf(text) > max)
      assert.isFalse(exceedsBytes(text, bytesOf(text)))
      if (text !== "") assert.isTrue(exceedsBytes(text, bytesOf(text) - 1))
    },
    propertyOptions(2000),
  )

  it("the count of UTF-8 bytes is three for a high surrogate at the end of a text", () => {
    assert.strictEqual(utf8Bytes("a\ud83d"), 4)
  })
})

describe("sameJson", () => {
  const json = Schema.Json

  it.prop(
    "`sameJson` is true for a value and its copy",
    [json],
    ([value]) => {
      assert.isTrue(sameJson(value, structuredClone(value)))
    },
    propertyOptions(300),
  )

  it.prop(
    "`sameJson` is true exactly if the canonical texts of two values are equal",
    [json, json],
    ([a, b]) => {
      assert.strictEqual(sameJson(a, b), canonical(a) === canonical(b))
      assert.strictEqual(sameJson(a, b), sameJson(b, a))
    },
    propertyOptions(500),
  )

  it.each([
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: null }, {}, false],
    [{}, { a: null }, false],
    [{ a: null }, { b: null }, false],
    [[], {}, false],
    [{}, [], false],
    [[null], [], false],
    [[1, 2], [2, 1], false],
    [0, "0", false],
    [null, false, false],
    ["", null, false],
    [{ a: [{ b: [] }] }, { a: [{ b: [] }] }, true],
    [{ a: [{ b: [] }] }, { a: [{ b: {} }] }, false],
    [JSON.parse('{"__proto__":1}'), {}, false],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}'), true],
    [JSON.parse('{"toString":null}'), JSON.parse('{"valueOf":null}'), false],
  ])("sameJson of %j and %j returns %s", (a, b, same) => {
    assert.strictEqual(sameJson(a, b), same)
  })

  it("isJsonObject is true for objects only", () => {
    assert.isTrue(isJsonObject({}))
    for (const other of [null, undefined, [], "", 0, true]) assert.isFalse(isJsonObject(other))
  })
})

/** Returns the JSON of a value with its keys sorted. */
const canonical = (value: Schema.Json): string => {
  if (Array.isArray(value)) return `[${value.map((item: Schema.Json) => canonical(item)).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
  return `{${fields.toSorted().join()}}`
}
