import { assert, describe, it } from "@effect/vitest"
import { decisionTexts } from "@inlethq/core/log/operationTexts"
import { reasonsOf } from "@inlethq/core/log/reasonsOf"

const { takenIdentifier } = decisionTexts

const stale = (field: string) =>
  decisionTexts.stale(field, { sent: "2026-01-01T00:00:00.000Z", stored: "2026-01-02T00:00:00.000Z" })

describe("the reasons made from faults", () => {
  it("the reasons of an outcome list stale attributes after the other faults", () => {
    const faults = [stale("attributes.plan"), takenIdentifier("email"), stale("attributes.city")]
    assert.deepStrictEqual(reasonsOf(faults), [
      { code: "taken_identifier", field: "email", values: {} },
      { code: "stale", field: "attributes.plan", values: {} },
      { code: "stale", field: "attributes.city", values: {} },
    ])
  })

  it("the reasons of an outcome list all of 300 stale attributes if their names are short", () => {
    const names = Array.from({ length: 300 }, (_, i) => `attributes.a${i}`)
    const reasons = reasonsOf(names.map((name) => stale(name)))
    assert.deepStrictEqual(
      reasons.map(({ field }) => field),
      names,
    )
  })

  it("the reasons of an outcome list an attribute once, even if the attribute is stale for several people", () => {
    const role = stale("relationships.1.acme.role")
    assert.deepStrictEqual(reasonsOf([role, role]), [
      { code: "stale", field: "relationships.1.acme.role", values: {} },
    ])
  })

  it("the reasons of an outcome are at most 16 KB long and count the stale attributes that are not listed", () => {
    const reasons = reasonsOf(Array.from({ length: 300 }, (_, i) => stale(`${"x".repeat(1000)}${i}`)))
    assert.isBelow(JSON.stringify(reasons).length, 18_000)
    assert.deepStrictEqual(reasons.at(-1), { code: "more_stale", field: "", values: { count: 284 } })
  })
})
