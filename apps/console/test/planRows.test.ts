import { describe, expect, it } from "vitest"
import { planRows } from "../src/pages/events/planRows.ts"

const textOf = (schema: Parameters<typeof planRows>[0]): ReadonlyArray<string> =>
  planRows(schema).map(({ conditions, depth, isRequired, path, types }) =>
    [depth, path, types, isRequired ? "required" : "", ...conditions].join("|"),
  )

describe("the rows of a plan", () => {
  it("names each property with its type and its conditions, and what is in it below", () => {
    const rows = textOf({
      type: "object",
      required: ["total", "id"],
      properties: {
        total: { type: "number", minimum: 0 },
        currency: { enum: ["EUR", null] },
        items: {
          type: ["array", "null"],
          minItems: 1,
          items: { required: ["sku"], properties: { sku: { type: "string", maxLength: 40 } } },
        },
        old: false,
        at: { format: "date-time", const: "x" },
        address: { additionalProperties: false, properties: { city: true } },
      },
    })
    expect(rows).toEqual([
      "0|total|number|required|at least 0",
      '0|currency|||one of "EUR", null',
      "0|items|array, null||at least 1 element",
      "1|items[]||",
      "2|items[].sku|string|required|at most 40 characters",
      "0|old|||not allowed",
      '0|at|||format date-time|only "x"',
      "0|address|||no other properties",
      "1|address.city||",
      "0|id||required",
    ])
  })

  it("are none of a schema without properties", () => {
    expect([...textOf({}), ...textOf(null), ...textOf({ properties: 1, required: "x" })]).toEqual([])
  })
})
