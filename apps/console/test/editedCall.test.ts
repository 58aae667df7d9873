import { describe, expect, it } from "vitest"
import { editedCall, type Call } from "../src/pages/errors/editedCall.ts"

const call: Call = {
  protocol: "track-v2",
  method: "POST",
  path: "/api/v2/entity",
  body: { type: "person", attributes: { plan: "x", seats: 1 } },
}

const bodyWith = (field: string, value: string) => editedCall(call, { field, value }).body

describe("calls that are sent again after an edit", () => {
  it("sets a field to JSON or to plain text, at any depth", () => {
    expect(bodyWith("attributes.seats", "12")).toEqual({
      type: "person",
      attributes: { plan: "x", seats: 12 },
    })
    expect(bodyWith("attributes.plan", "pro plus")).toMatchObject({ attributes: { plan: "pro plus" } })
    expect(bodyWith("type", '"object"')).toMatchObject({ type: "object" })
  })

  it("leaves a field out if its new value is empty", () => {
    expect(bodyWith("attributes.plan", " ")).toEqual({ type: "person", attributes: { seats: 1 } })
  })

  it("keeps a call that has no place for the field, and one without an edit", () => {
    expect(bodyWith("other.plan", "pro")).toEqual(call.body)
    expect(bodyWith("", "pro")).toEqual(call.body)
    expect(editedCall({ ...call, body: null }, { field: "a", value: "b" }).body).toBe(null)
  })
})
