import { describe, expect, it } from "vitest"
import { eventItem, personItem } from "../src/pages/segments/sampleItems.ts"
import { nothingPasses } from "../src/pages/segments/sampledValues.ts"
import { newCondition } from "../src/pages/segments/rowValues.ts"

const person = {
  svc_id: "svc1",
  id: "ada",
  email: null,
  attributes: { plan: "pro", email: "none" },
  created_at: "2026-11-24T10:00:00.900Z",
  subscription_preferences: {},
}

const sampleOf = (items: ReadonlyArray<ReturnType<typeof personItem>>) => ({
  of: { one: "person", many: "people" },
  items,
  isWhole: true,
})

describe("a person in whose fields values are looked for", () => {
  it.each([
    ["created_at", Date.parse("2026-11-24T10:00:00.000Z") / 1000],
    ["svc_id", "svc1"],
    ["cio_id", "svc1"],
    ["id", "ada"],
    ["email", "none"],
    ["plan", "pro"],
    ["svc_subscription_preferences", null],
  ])("has %s as rules read it", (field, value) => {
    expect(personItem(person)[field]).toBe(value)
    const condition = { ...newCondition(0), field, operator: "exists" as const }
    const said = nothingPasses(sampleOf([personItem(person)]), condition)
    expect(said).toBe(value === null ? `None of the 1 person has ${field}.` : undefined)
  })

  it("has the time of creation that a client sent", () => {
    expect(personItem({ ...person, attributes: { created_at: 5 } })["created_at"]).toBe(5)
  })
})

describe("an event in whose fields values are looked for", () => {
  it("has its data, and the context of its call", () => {
    expect(eventItem({ data: { total: 1 }, context: { ip: "::" } })).toEqual({
      total: 1,
      context: { ip: "::" },
    })
    expect(eventItem({ data: { context: "sent" } })).toEqual({ context: "sent" })
  })
})
