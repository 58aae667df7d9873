import { assert, describe, it } from "@effect/vitest"
import { errorText, faultText, quoteValue, tokenCharactersMax } from "@inlet/core/log/ErrorText"

const remedy = "Do nothing."

describe("error texts", () => {
  it("an error text replaces its placeholders with values", () => {
    const text = errorText("expected {expected} cells, got {found}", remedy)
    assert.strictEqual(text({ expected: 2, found: 3 }), "expected 2 cells, got 3")
    assert.strictEqual(text.template, "expected {expected} cells, got {found}")
  })

  it("a fault text can contain the whole path of the wrong value and the last part of that path", () => {
    const text = faultText("invalid", "{name} of {field}: at most {max}", remedy)
    assert.deepStrictEqual(text("a.b.c", { max: 5 }), {
      reason: "invalid",
      field: "a.b.c",
      message: "c of a.b.c: at most 5",
    })
  })

  it("an error text inserts values unchanged, including braces and dollar signs", () => {
    const text = faultText("invalid", "{field} is '{value}'", remedy)
    assert.strictEqual(text("$1", { value: "{field} $& $$" }).message, "$1 is '{field} $& $$'")
  })
})

describe("a client's value in a message", () => {
  it("an error message quotes a client's value and never cuts the value inside a character", () => {
    assert.strictEqual(quoteValue('a"b\n'), '"a\\"b\\n"')
    const shown = quoteValue("😀".repeat(1000))
    assert.strictEqual(shown, `"${"😀".repeat(tokenCharactersMax)}…"`)
  })

  it("if a client's value is not a string, the error message shows its type and not the value", () => {
    assert.deepStrictEqual([5, true, {}, [], null].map(quoteValue), [
      "(a number)",
      "(a boolean)",
      "(an object)",
      "(an object)",
      "(an object)",
    ])
  })
})
