import { assert, describe, it } from "@effect/vitest"
import { decisionTexts } from "@inlet/core/log/operationTexts"
import { describeFaults, type Fault } from "@inlet/core/log/Outcome"

const invalid: Fault = { reason: "invalid", field: "email", message: "email belongs to another person" }

describe("the reason made from faults", () => {
  it("the reason of an outcome lists stale attributes together, after the other faults", () => {
    assert.strictEqual(
      describeFaults([
        decisionTexts.stale("attributes.plan"),
        invalid,
        decisionTexts.stale("attributes.city"),
      ]),
      "email: email belongs to another person; stale: attributes.plan, attributes.city (newer values are stored)",
    )
  })

  it("the reason of an outcome lists all of 300 stale attributes if their names are short", () => {
    const names = Array.from({ length: 300 }, (_, i) => `attributes.a${i}`)
    assert.strictEqual(
      describeFaults(names.map((name) => decisionTexts.stale(name))),
      `stale: ${names.join(", ")} (newer values are stored)`,
    )
  })

  it("the reason of an outcome lists an attribute once, even if the attribute is stale for several people", () => {
    assert.strictEqual(
      describeFaults([
        decisionTexts.stale("relationships.1.acme.role"),
        decisionTexts.stale("relationships.1.acme.role"),
      ]),
      "stale: relationships.1.acme.role (newer values are stored)",
    )
  })

  it("the reason of an outcome is at most 16 KB long and counts the stale attributes that are not listed", () => {
    const reason = describeFaults(
      Array.from({ length: 300 }, (_, i) => decisionTexts.stale(`${"x".repeat(1000)}${i}`)),
    )
    assert.isBelow(reason.length, 17_000)
    assert.include(reason, "and 284 more")
  })
})
