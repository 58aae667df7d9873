import { describe, expect, it } from "@effect/vitest"
import type { CauseDocument } from "@inlethq/contract/types/EventTypes"
import { defaultAlertSettings } from "@inlethq/core/alert/AlertSettings"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { hourMs, minuteMs, toIso } from "@inlethq/core/values/Timestamp"
import { errorRate, feedsBehind, lags, newCauses } from "../../src/alerts/conditions.ts"

const now = Date.parse("2026-11-24T10:00:00.000Z")
const never = () => false
const always = () => true

const causeOf = (firstMs: number, lastMs: number): CauseDocument => ({
  cause: "c",
  outcome: "rejected",
  kind: null,
  rule: null,
  reason: "`email` is no address.",
  reasons: [],
  filter: "outcome:rejected",
  sender: null,
  count: 1,
  exact: true,
  total: 1,
  affected: 1,
  new: true,
  first: { at: toIso(now - firstMs), operation_id: "op1" },
  last: { at: toIso(now - lastMs), operation_id: "op2" },
  hours: [],
  days: [],
})

const counts = (applied: number, rejected: number) => [
  { step: 0, kind: "identify" as const, outcome: "applied" as const, count: applied },
  { step: 0, kind: null, outcome: "rejected" as const, count: rejected },
]

describe("alerts", () => {
  it.each([
    ["began just now", 0, 0, false, true],
    ["has not occurred for an hour", 2 * hourMs, hourMs, true, false],
    ["is known for a day", 24 * hourMs, 0, false, false],
    ["is known for a day and goes on since it was new", 24 * hourMs, 0, true, true],
  ])("a cause that %s", (_, firstMs, lastMs, isLasting, expected) => {
    const found = newCauses([causeOf(firstMs, lastMs)], now, isLasting ? always : never)
    expect(found.length > 0).toBe(expected)
  })

  it.each([
    [190, 10, false, true],
    [191, 10, false, false],
    [0, 9, false, false],
    [195, 5, true, true],
    [196, 4, true, false],
    [100, 0, true, false],
  ])("%i applied and %i rejected operations, lasting %s: %s", (applied, rejected, isLasting, expected) => {
    const found = errorRate(counts(applied, rejected), defaultAlertSettings, isLasting ? always : never)
    expect(found.length > 0).toBe(expected)
  })

  it.each([
    [15 * minuteMs, false, true],
    [15 * minuteMs - 1, false, false],
    [8 * minuteMs, true, true],
    [7 * minuteMs, true, false],
    [null, true, true],
    [null, false, false],
  ])("a webhook that is %s ms behind, lasting %s: %s", (lagMs, isLasting, expected) => {
    const behind = [{ subject: "webhook:w", title: "The webhook w", lagMs }]
    const found = lags(behind, defaultAlertSettings, isLasting ? always : never)
    expect(found.length > 0).toBe(expected)
  })
  it("names a forward that is behind, calls a webhook without a name by its id, and counts one minute", () => {
    const feed = { position: null, lagEntries: 3, prepared: true, failure: null }
    const status = (id: string | null, lagMs: number) => ({
      sending: true,
      feeds: [
        { ...feed, workspace: WorkspaceId.make(1), id, lagMs },
        { ...feed, workspace: WorkspaceId.make(2), id: "other", lagMs },
      ],
    })
    const names = new Map([
      ["f", "hosted"],
      ["w", ""],
    ])
    const behind = [
      ...feedsBehind("forward", status("f", 20 * minuteMs), 1, names),
      ...feedsBehind("webhook", status("w", minuteMs), 1, names),
      ...feedsBehind("webhook", status(null, minuteMs), 1, names),
    ]
    const found = lags(behind, { ...defaultAlertSettings, lagSeconds: 60 }, never)
    expect(found.map(({ subject, summary }) => [subject, summary])).toEqual([
      ["forward:f", "The forward hosted is 20 minutes behind."],
      ["webhook:w", "The webhook w is 1 minute behind."],
    ])
  })
})
