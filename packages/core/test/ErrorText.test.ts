import { assert, describe, it } from "@effect/vitest"
import { catalogue, errorText, faultText, quoteValue, tokenCharactersMax } from "@inlethq/core/log/ErrorText"

const remedy = "Do nothing."

describe("error texts", () => {
  it("an error text replaces its placeholders with values", () => {
    const text = errorText("expected {expected} cells, got {found}", remedy)
    assert.strictEqual(text({ expected: 2, found: 3 }), "expected 2 cells, got 3")
    assert.strictEqual(text.template, "expected {expected} cells, got {found}")
  })

  it("a fault is the code of its text, the path of the wrong value and what fills the text", () => {
    const { tooManyOfThem } = catalogue("value_", {
      tooManyOfThem: faultText("too_many", "{name} of {field}: at most {max}", remedy),
    })
    assert.strictEqual(tooManyOfThem.code, "value_too_many_of_them")
    assert.deepStrictEqual(tooManyOfThem("a.b.c", { max: 5 }), {
      reason: "too_many",
      code: "value_too_many_of_them",
      field: "a.b.c",
      values: { max: 5 },
    })
  })

  it("the wording of a text is not part of a reason", () => {
    const worded = catalogue("", { full: errorText("at most {max} of {what}", remedy) })
    const reworded = catalogue("", { full: errorText("{what}: no more than {max}", remedy) })
    const values = { max: 2, what: "people" }
    assert.deepStrictEqual(worded.full(values), { code: "full", field: "", values })
    assert.deepStrictEqual(reworded.full(values), worded.full(values))
  })

  it("an error text inserts values unchanged, including braces and dollar signs", () => {
    const text = errorText("{field} is '{value}'", remedy)
    assert.strictEqual(text({ field: "$1", value: "{field} $& $$" }), "$1 is '{field} $& $$'")
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
