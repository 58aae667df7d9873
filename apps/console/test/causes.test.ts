import type { CauseDocument } from "@inlethq/contract/types/EventTypes"
import { describe, expect, it } from "vitest"
import type { ActivityDocument } from "../src/api/documents.ts"
import { causeId, fieldText, filterOfCause, isOfCause } from "../src/pages/errors/causes.ts"

const sender = {
  key: { key_id: "key-1", name: "default" },
  token: null,
  user_agent: 'shop "web"/2*',
  route: "PUT /api/v1/customers/:id",
}
const seen = { at: "2026-11-24T10:00:00.000Z", operation_id: "op" }

const cause: CauseDocument = {
  cause: '["rejected","contract §4",null,[["too_long","items.[].sku"]],3]',
  outcome: "rejected",
  kind: "identify",
  rule: "contract §4",
  reason: "items.[].sku: too long",
  reasons: [{ code: "too_long", field: "items.[].sku" }],
  filter: "outcome:rejected kind:identify reason:too_long",
  sender,
  count: 1,
  exact: true,
  total: 1,
  affected: 0,
  new: true,
  first: seen,
  last: seen,
  hours: [],
  days: [],
}

/** The parts of an operation that tell its cause. */
const entryOf = (changed: Partial<ActivityDocument> = {}): ActivityDocument =>
  // The other fields of an operation are not looked at.
  ({
    outcome: "rejected",
    kind: "identify",
    rule: "contract §4",
    sender,
    reasons: [{ code: "too_long", field: "items.4.sku", values: {} }],
    ...changed,
  }) as ActivityDocument

describe("a cause", () => {
  it("has the operations with its outcome, clause, reasons and sender, and no others", () => {
    expect(isOfCause(entryOf(), cause)).toBe(true)
    expect(isOfCause(entryOf({ outcome: "partial" }), cause)).toBe(false)
    expect(isOfCause(entryOf({ sender: { ...sender, user_agent: "shop/3" } }), cause)).toBe(false)
    expect(isOfCause(entryOf({ sender: null }), cause)).toBe(false)
    const other = { code: "too_long", field: "items.4.name", values: {} }
    expect(isOfCause(entryOf({ reasons: [other] }), cause)).toBe(false)
    expect(isOfCause(entryOf({ reasons: [...entryOf().reasons, other] }), cause)).toBe(false)
  })

  it("finds its operations by a filter in which the client stands for itself", () => {
    expect(filterOfCause(cause)).toBe(
      String.raw`outcome:rejected kind:identify reason:too_long key:"key-1" client:"shop \"web\"/2\*"`,
    )
  })

  it("has a short address that another cause does not have", () => {
    expect(causeId(cause)).toMatch(/^[0-9a-z]{8,13}$/)
    expect(causeId(cause)).toBe(causeId({ cause: cause.cause }))
    expect(causeId({ cause: cause.cause.replace("3]", "4]") })).not.toBe(causeId(cause))
  })

  it("names each field once", () => {
    const twice = [...cause.reasons, ...cause.reasons, { code: "blank", field: "" }]
    expect(fieldText({ reasons: twice })).toBe("items.[].sku")
  })
})
