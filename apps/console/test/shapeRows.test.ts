import type { PathDocument } from "@inlethq/contract/types/EventTypes"
import { describe, expect, it } from "vitest"
import { percent, shapeRows, typesText } from "../src/pages/events/shapeRows.ts"

const seen = { at: "2026-11-24T10:00:00.000Z", operation_id: "op" }
const pathOf = (path: string, types: Record<string, number> = { string: 1 }): PathDocument => ({
  path,
  types,
  formats: {},
  count: 1,
  presence: 1,
  distinct: 1,
  first: seen,
  last: seen,
  missing: null,
})

describe("the rows of a shape", () => {
  it("indents keys of objects and elements of lists below their parent", () => {
    const rows = shapeRows(
      ["items", "items[]", "items[].price", "items[][]", "shipping.country", String.raw`a\.b.c`, "x[0]"].map(
        (path) => pathOf(path),
      ),
    )
    expect(rows.map(({ depth, label }) => [depth, label])).toEqual([
      [0, "items"],
      [1, "[]"],
      [2, "price"],
      [2, "[]"],
      [1, "country"],
      [1, "c"],
      [0, "x[0]"],
    ])
  })

  it("name one type, and of several the share of each", () => {
    expect(typesText(pathOf("a", { integer: 3 }))).toBe("integer")
    expect(typesText(pathOf("a", { string: 1, number: 999 }))).toBe(
      "number\u00a099\u00a0%, string\u00a0below 1\u00a0%",
    )
  })

  it("are never said to be always or never there unless they are", () => {
    expect([0, 0.001, 0.5, 0.999, 1].map(percent)).toEqual([
      "0\u00a0%",
      "below 1\u00a0%",
      "50\u00a0%",
      "99\u00a0%",
      "100\u00a0%",
    ])
  })
})
