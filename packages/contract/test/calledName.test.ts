import { searchedName } from "@inlethq/core/state/searchedNames"
import { describe, expect, it } from "vitest"
import { calledName } from "../src/people/calledName.ts"

describe("the name of a person", () => {
  it.each([
    [{ name: " Ada King ", first_name: "Ada" }, "Ada King"],
    [{ first_name: "Ada", last_name: "Lovelace", name: "" }, "Ada Lovelace"],
    [{ last_name: "Lovelace" }, "Lovelace"],
    [{ name: 7, first_name: " " }, null],
    [{}, null],
  ])("of the attributes %j is %s in documents as in searches", (attributes, name) => {
    expect(calledName(attributes)).toBe(name)
    const stored = Object.entries(attributes).map(([key, value]) => [key, { value, at: 0 }] as const)
    expect(searchedName(new Map(stored))).toBe(name)
  })
})
