import { assert, describe, it } from "@effect/vitest"
import { findJsonFault } from "../src/decoding/jsonFault.ts"
import { beginningBytesMax, describeUnreadable } from "../src/decoding/unreadableBody.ts"
import { messageOf as sentence } from "../src/texts/sentences.ts"
import { Schema } from "effect"

const bytesOf = (text: string) => new TextEncoder().encode(text)

const messageOf = (body: string | Uint8Array): string => {
  const { fault } = describeUnreadable(typeof body === "string" ? bytesOf(body) : body)
  assert.strictEqual(fault.reason, "malformed")
  return sentence("svc", fault)
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("the fault of a body that is no JSON", () => {
  it.each([
    ['{"score": NaN, "a": 1}', 10, "NaN, which JSON does not have"],
    ['{"a":-Infinity}', 5, "-Infinity, which JSON does not have"],
    ['{"a":undefined}', 5, "undefined, which JSON does not have"],
    ["{'a':1}", 1, "the character '"],
    ['{"a":1,}', 7, "the character }"],
    ['{"a":1', 6, "the end of the body"],
    ['{"a":"x', 7, "the end of the body"],
    ['{"a":"\u0001"}', 6, "the character U+0001"],
    ['{"ü":1 2}', 8, "the character 2"],
    ['{"a":01}', 6, "the character 1"],
    ['{"a":ada@example.com}', 5, "the character a"],
    ["\uFEFF{'a':1}", 4, "the character '"],
  ])("says where %s stops being JSON", (body, offset, found) =>
    assert.strictEqual(messageOf(body), `the body is not valid JSON: at byte ${offset} it has ${found}`),
  )

  it("names the item of a batch", () => {
    const body = '{"writeKey":"k","batch":[{"a":[1,2]},{"b":{"c":[]}},{"d":NaN}]}'
    const { fault } = describeUnreadable(bytesOf(body))
    assert.strictEqual(fault.field, "batch.2")
    assert.strictEqual(
      sentence("svc", fault),
      "the body is not valid JSON: at byte 57, in item 2 of the batch, it has NaN, which JSON does not have",
    )
  })

  it("names the first byte that is not UTF-8", () => {
    const body = Uint8Array.of(...bytesOf('{"name":"Andr'), 0xe9, ...bytesOf('"}'))
    assert.strictEqual(messageOf(body), "the body is not valid JSON: it is not UTF-8, since byte 13 is 0xE9")
    assert.include(messageOf(Uint8Array.of(0x22, 0xc3)), "byte 1 is 0xC3")
  })

  it("recognises gzip, a form and an empty body", () => {
    assert.include(messageOf(Uint8Array.of(0x1f, 0x8b, 8)), "gzip")
    assert.include(messageOf("userId=5&event=bought"), "form")
    assert.include(messageOf("--boundary\r\nContent-Disposition: form-data"), "form")
    assert.include(messageOf(""), "empty")
  })

  const fragments = Schema.Array(
    Schema.Literals(["{", "}", "[", "]", ":", ",", '"a"', '"\\u00', "1", "-", "true", "nul", " ", '"batch"']),
  )
  it.prop(
    "finds a fault exactly in what is no JSON",
    [fragments],
    ([parts]) => {
      const text = parts.join("")
      assert.strictEqual(findJsonFault(text) === undefined, isJson(text), text)
    },
    { arbitrary: { runs: 1000, seed: "inlet" } },
  )

  it.prop("finds no fault in JSON", [Schema.Json], ([value]) => {
    const text = JSON.stringify(value)
    assert.isUndefined(findJsonFault(text))
    const cut = text.slice(0, -1)
    assert.strictEqual(findJsonFault(cut) === undefined, isJson(cut), cut)
  })

  it("does not recurse into arrays that are nested deeply", () =>
    assert.deepStrictEqual(findJsonFault("[".repeat(1_000_000)), { index: 1_000_000, item: null }))
})

describe("the beginning of a body that is no JSON", () => {
  it("is kept as it was sent, with all digits", () => {
    const body = '{"id": 12345678901234567890, "a": NaN}'
    assert.deepInclude(describeUnreadable(bytesOf(body)), { beginning: body, cutFrom: null })
  })

  it("has at most 1 KB and ends with a whole character", () => {
    const body = `{"a": "${"é".repeat(2000)}`
    const { beginning, cutFrom } = describeUnreadable(bytesOf(body))
    assert.strictEqual(cutFrom, bytesOf(body).length)
    assert.isTrue(body.startsWith(beginning))
    assert.isAtMost(bytesOf(beginning).length, beginningBytesMax)
    assert.isAtLeast(bytesOf(beginning).length, beginningBytesMax - 1)
  })

  it.each([
    '{"writeKey": "secret", "a": NaN}',
    "{'write_key': 'secret', 'a': 1}",
    "writeKey=secret&a=1",
    `{"a": "${"x".repeat(1000)}", "apiKey": "secret`,
    '{"Authorization": "Basic secret", "a": NaN}',
  ])("has no credentials: %s", (body) =>
    assert.notInclude(describeUnreadable(bytesOf(body)).beginning, "secre"),
  )

  it("shows bytes that are no UTF-8 as Latin-1, and UTF-16 as its text", () => {
    const latin = Uint8Array.of(...bytesOf('{"name":"Andr'), 0xe9, ...bytesOf('"}'))
    assert.strictEqual(describeUnreadable(latin).beginning, '{"name":"André"}')
    const utf16 = new Uint8Array(new Uint16Array([...'{"a":1}'].map((one) => one.charCodeAt(0))).buffer)
    assert.strictEqual(describeUnreadable(utf16).beginning, '{"a":1}')
  })
})
