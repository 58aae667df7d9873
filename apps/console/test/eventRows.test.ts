import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import type { EventTypeDocument } from "@inlethq/contract/types/EventTypes"
import { Sequence } from "@inlethq/core/values/Identifier"
import { entryMatcher } from "@inlethq/log/filter/matchFilter"
import { parseFilter } from "@inlethq/log/filter/parseFilter"
import { describe, expect, it } from "vitest"
import { eventRows, misfitsOf } from "../src/pages/events/eventRows.ts"
import { isMisfitOf, misfitFilter } from "../src/pages/events/misfitsQuery.ts"
import { misfitsIn } from "../src/pages/events/misfitsIn.ts"
import { unseenMisfitsIn } from "../src/pages/events/unseenMisfits.ts"

const at = "2026-11-24T10:00:00.000Z"
const sighting = { at, operation_id: "op1" }

const nobody = { svc_id: null, id: null, email: null, name: null, anonymous_id: null }
const noObject = { object_type_id: null, object_id: null }

const entryOf = (changed: Partial<ActivityDocument>): ActivityDocument => ({
  operation_id: "op1",
  sequence: Sequence.make(1),
  at,
  original_timestamp: null,
  received_at: at,
  processed_at: at,
  source: "track-v1",
  sender: null,
  kind: "event",
  name: "bought",
  outcome: "rejected",
  reason: null,
  reasons: [],
  rule: null,
  subject: { ...nobody, ...noObject },
  id: null,
  trigger_eligible: false,
  data: {},
  changes: [],
  refused: [],
  kept_as: [],
  effects: [],
  request: null,
  plan: { name: null, version: null, violations: [{ path: "", clause: "unknown_events", got: "null" }] },
  ...changed,
})

const typeOf = (name: string): EventTypeDocument => ({
  kind: "event",
  name,
  count: 3,
  first: { at: "2026-11-01T10:00:00.000Z", operation_id: "op0" },
  last: sighting,
  days: [],
  senders: [],
  sampled: 3,
  paths: 0,
  changed_at: at,
  silent_since: null,
  violations: { count: 2, first: sighting, last: sighting, days: [], hours: [], senders: [] },
})

const plan = { kind: "event", name: "planned", mode: "reject", version: 1, schema: {} } as const

const sources = (entries: ReadonlyArray<ActivityDocument>, searchedTo: string | null = null) => ({
  types: [typeOf("seen")],
  plans: { plans: [plan], version: 1 },
  unseen: unseenMisfitsIn({ items: entries, searchedTo }),
  since: Date.parse(at) - 1,
})

const rowsOf = (...given: Parameters<typeof sources>) =>
  eventRows(sources(...given), "event").map(({ name, violations }) => [name, violations])

describe("the names on the page Events", () => {
  it("are also those of which everything was rejected because they have no plan", () => {
    const entries = [entryOf({}), entryOf({ kind: "anonymous_event" }), entryOf({ name: null })]
    expect(rowsOf(entries)).toContainEqual(["bought", { count: 2, isExact: true }])
    expect(rowsOf([entryOf({ name: "seen" })])).toHaveLength(2)
  })

  it("are not said to have had nothing rejected where not everything was looked at", () => {
    expect(rowsOf([])).toContainEqual(["planned", { count: 0, isExact: true }])
    expect(rowsOf([], at)).toContainEqual(["planned", { count: 0, isExact: false }])
  })

  it("are said to come without a plan where there is none", () => {
    const planned = entryOf({ name: "planned", plan: { name: "planned", version: 1, violations: [] } })
    const said = misfitsOf(sources([planned, entryOf({})], at))
    expect(said.map(({ name, summary }) => [name, summary])).toEqual([
      ["seen", "2 operations came without a plan."],
      ["planned", "About 1 operation did not fit the plan."],
      ["bought", "About 1 operation came without a plan."],
    ])
  })
})

const isFound = (of: { readonly kind: string; readonly name: string }, entry: ActivityDocument) => {
  const filter = parseFilter(misfitFilter(of))
  if (filter._tag === "Failure") throw filter.failure
  return entryMatcher(filter.success)(entry) && isMisfitOf(of, entry)
}

const object = (object_type_id: string, object_id: string) =>
  entryOf({ kind: "object_identify", name: null, subject: { ...nobody, object_type_id, object_id } })

const violation = (path: string, got: string) => ({ path, clause: "type", got })

describe("what does not fit a plan", () => {
  it("is found for events of people and of visitors", () => {
    const of = { kind: "event", name: "bought" }
    expect(isFound(of, entryOf({}))).toBe(true)
    expect(isFound(of, entryOf({ kind: "anonymous_event" }))).toBe(true)
    expect(isFound(of, entryOf({ kind: "page" }))).toBe(false)
    const { plan: _, ...fits } = entryOf({})
    expect(isFound(of, fits)).toBe(false)
  })

  it("is found for the objects of one type only", () => {
    const of = { kind: "object:1*", name: "attributes" }
    expect(isFound(of, object("1*", "acme"))).toBe(true)
    expect(isFound(of, object("12", "acme"))).toBe(false)
    expect(isFound(of, object("2", "1*/acme"))).toBe(false)
  })

  it("is counted by path and clause, in the words of the operation", () => {
    const planned = (...violations: ReadonlyArray<ReturnType<typeof violation>>) =>
      entryOf({ plan: { name: "bought", version: 2, violations } })
    const found = misfitsIn([
      planned(violation("items.3.sku", "integer"), violation("total", "text(3)")),
      planned(violation("items.0.sku", "null")),
      entryOf({}),
    ])
    expect(found.map(({ number, path, text }) => [number, path, text])).toEqual([
      [2, "items[].sku", "is integer, which type of the plan does not allow"],
      [1, "total", "is text(3), which type of the plan does not allow"],
      [1, "(its name)", "has no plan"],
    ])
  })
})
