import { describe, expect, it } from "vitest"
import { mismatches } from "../src/mismatch.ts"

describe("differences between a document and a pattern", () => {
  it.each([
    [{ plan: "pro" }, { plan: "pro", id: "ada" }, []],
    [{ plan: "pro" }, { plan: "free" }, ['plan: expected "pro", got "free"']],
    [{ a: { b: 1 } }, { a: {} }, ["a.b: expected 1, got nothing"]],
    [{ a: { b: 1 } }, { a: null }, ["a: expected an object, got null"]],
    [{ ids: ["x"] }, { ids: ["x", "y"] }, ['ids: expected a list of length 1, got length 2: ["x","y"]']],
    [{ ids: ["x"] }, { ids: ["y"] }, ['ids[0]: expected "x", got "y"']],
    [{ ids: ["x"] }, { ids: "x" }, ['ids: expected a list, got "x"']],
    [{ id: /^op/ }, { id: "op1" }, []],
    [{ id: /^op/ }, { id: "x" }, ['id: expected a match of /^op/, got "x"']],
    [{ id: null }, { id: null }, []],
    [1, "1", ['the value: expected 1, got "1"']],
  ])("pattern %j and document %j: the differences are %j", (expected, actual, lines) => {
    expect(mismatches(expected, actual)).toEqual(lines)
  })

  it("the description of a difference shortens long values", () => {
    expect(mismatches("x", "y".repeat(1000))[0]).toHaveLength('the value: expected "x", got '.length + 201)
  })
})
