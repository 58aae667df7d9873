import { assert, it } from "vitest"
import { documentChanges } from "../src/pages/people/documentChanges.ts"

it("two documents of a person differ in fields and in single attributes, whenever they were read", () => {
  const before = {
    id: "ada",
    devices: [],
    attributes: { plan: "free", team: "a" },
    updated_at: "1",
    as_of: {},
  }
  const after = {
    id: "ada",
    devices: [{ token: "t" }],
    attributes: { plan: "pro", seats: 3, team: "a" },
    updated_at: "2",
  }
  assert.deepStrictEqual(documentChanges(before, after), [
    { path: "attributes.plan", from: "free", to: "pro" },
    { path: "attributes.seats", from: null, to: 3 },
    { path: "devices", from: [], to: [{ token: "t" }] },
  ])
})
