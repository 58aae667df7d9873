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

  it("counts what did not fit a plan by hour, day and sender, and is without it if everything did", () => {
    const plan = {
      name: "bought",
      version: 1,
      violations: [{ path: "total", clause: "type", got: "text(2)" }],
    }
    const log = [
      recordAt(1),
      recordAt(2, { plan, from: 2 }),
      recordAt(3, { plan, outcome: "rejected", receivedAt: noon + hourMs }),
      recordAt(4, { name: "viewed" }),
    ]
    const rows = summariesOf(log).takeChanges().types
    const [bought, viewed] = rows.map((row) => typeDocument(shown, row, noon))
    assert.deepStrictEqual(viewed?.violations, undefined)
    assert.deepStrictEqual(
      [bought?.count, bought?.violations?.count, bought?.violations?.hours, bought?.violations?.days],
      [
        2,
        2,
        [
          { at: toIso(noon), count: 1 },
          { at: toIso(noon + hourMs), count: 1 },
        ],
        [{ day: "2026-01-31", count: 2 }],
      ],
    )
    assert.deepStrictEqual(
      bought?.violations?.senders.map(({ count }) => count),
      [1, 1],
    )
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
