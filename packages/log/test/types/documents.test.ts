import { assert, describe, it } from "@effect/vitest"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { dayMs, hourMs, toIso } from "@inlethq/core/values/Timestamp"
import { causeDocuments } from "../../src/types/causeDocuments.ts"
import { typeDocument } from "../../src/types/typeDocuments.ts"
import { causeFromRow } from "../../src/types/WorkspaceSummaries.ts"
import { noon, recordAt, summariesOf } from "./records.ts"

const shown = { workspace: WorkspaceId.make(1), senders: new Map() }

describe("what is shown of a summary", () => {
  it("says from when on a name is silent", () => {
    const hourly = Array.from({ length: 30 }, (_, index) =>
      recordAt(index + 1, { receivedAt: noon + index * hourMs }),
    )
    const silentAt = noon + 29 * hourMs + dayMs
    const [row] = summariesOf(hourly).takeChanges().types
    if (row === undefined) throw new Error("the name is not summarized")
    assert.strictEqual(typeDocument(shown, row, silentAt - 1).silent_since, null)
    assert.strictEqual(typeDocument(shown, row, silentAt).silent_since, toIso(silentAt))
  })

  it("has gaps in the sentence of a cause, because its operations differ in the values", () => {
    const reason = {
      code: "attribute_value_too_long",
      field: "plan",
      values: { attribute: "plan", bytes: 1000 },
    }
    const shared = [1, 2].map((person) =>
      recordAt(person, { person, kind: "identify", data: { plan: "pro" } }),
    )
    const rejected = recordAt(3, { outcome: "rejected", reasons: [reason] })
    const { causes } = summariesOf([...shared, rejected]).takeChanges()
    const summaries = causes.map((row) => [row.cause, causeFromRow(row)] as const)
    const period = { since: noon, until: noon + dayMs, newSince: noon }
    assert.deepStrictEqual(
      causeDocuments(shown, "svc", summaries, period).map((cause) => cause.reason),
      ["plan: value for attribute '…' cannot be longer than … bytes"],
    )
  })
})
