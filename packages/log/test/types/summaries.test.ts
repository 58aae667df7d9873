import { assert, describe, it } from "@effect/vitest"
import { isJsonObject, type Json } from "@inlethq/core/values/Json"
import type { PlanFinding } from "@inlethq/core/log/PlanFinding"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { numbers } from "../../../../tools/testing/randomNumbers.ts"
import { causesMax, namesMax, WorkspaceSummaries } from "../../src/types/WorkspaceSummaries.ts"
import { pathsMax, siblingsMax } from "../../src/types/ShapeSummary.ts"
import { minuteEntriesMax, sampledOneIn } from "../../src/types/TypeSummary.ts"
import { looksLikeData } from "../../src/types/looksLikeData.ts"
import { pathText, shownPaths } from "../../src/types/shownPaths.ts"
import { fieldsOf, noon, pathsOf, recordAt, summariesOf, typeIn, words } from "./records.ts"

const keys = ["total", "currency", "coupon", "items", "sku", "user@example.com", "12345678", "note"]

/** Returns random data of an event, with objects in lists in objects. */
const dataFrom = (draw: (below: number) => number, depth = 0): Json => {
  const fields: Record<string, Json> = {}
  for (const key of keys) {
    if (draw(3) > 0) fields[key] = valueFrom(draw, depth + 1)
  }
  return fields
}

const valueFrom = (draw: (below: number) => number, depth: number): Json => {
  switch (draw(depth > 3 ? 5 : 8)) {
    case 0:
      return null
    case 1:
      return draw(2) === 0
    case 2:
      return draw(1000)
    case 3:
      return draw(1000) / 8
    case 4:
      return ["EUR", "2026-01-31", "a@example.com", "https://example.com/", ""][draw(5)] ?? ""
    case 5:
      return Array.from({ length: draw(4) }, () => valueFrom(draw, depth + 1))
    default:
      return dataFrom(draw, depth)
  }
}

const misfitOf = (name: string | null): PlanFinding => ({
  name,
  version: 1,
  violations: [{ path: "total", clause: "type", got: "text(2)" }],
})

const randomLog = (seed: number, entries: number): ReadonlyArray<ActivityRecord> => {
  const draw = numbers(seed)
  return Array.from({ length: entries }, (_, index) => {
    const person = draw(4) + 1
    const from = draw(3) + 1
    const receivedAt = noon + index * 40_000_000
    if (draw(6) === 0) {
      const field = ["email", "attributes.plan"][draw(2)] ?? ""
      const reasons = [{ code: "taken_identifier", field, values: {} }]
      return recordAt(index + 1, { kind: "identify", outcome: "rejected", reasons, receivedAt, person, from })
    }
    const name = ["bought", "viewed", "opened"][draw(3)] ?? ""
    const misfit = draw(4) === 0 ? { plan: misfitOf(name) } : {}
    const outcome = misfit.plan !== undefined && draw(2) === 0 ? "rejected" : "applied"
    return recordAt(index + 1, { name, data: dataFrom(draw), receivedAt, person, from, outcome, ...misfit })
  })
}

/** Summarizes a log in parts, and goes on with what is stored after each. */
const inParts = (log: ReadonlyArray<ActivityRecord>, draw: (below: number) => number) => {
  const types = new Map<string, ReturnType<WorkspaceSummaries["takeChanges"]>["types"][number]>()
  const causes = new Map<string, ReturnType<WorkspaceSummaries["takeChanges"]>["causes"][number]>()
  let summaries = new WorkspaceSummaries()
  for (const record of log) {
    summaries.add(record)
    if (draw(4) > 0) continue
    const changes = summaries.takeChanges()
    for (const row of changes.types) types.set(`${row.kind} ${row.name}`, row)
    for (const row of changes.causes) causes.set(row.cause, row)
    for (const cause of changes.forgottenCauses) causes.delete(cause)
    if (draw(2) === 0) continue
    summaries = new WorkspaceSummaries()
    summaries.load([...types.values()], [...causes.values()])
  }
  const rest = summaries.takeChanges()
  for (const row of rest.types) types.set(`${row.kind} ${row.name}`, row)
  for (const row of rest.causes) causes.set(row.cause, row)
  return { types, causes }
}

const asObject = <A>(map: ReadonlyMap<string, A>) =>
  Object.fromEntries([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)))

describe("summaries of a log", () => {
  it("are equal however the log is split, and after any restart", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const log = randomLog(seed, 120)
      const whole = summariesOf(log).takeChanges()
      const parts = inParts(log, numbers(seed * 7919))
      const types = new Map(whole.types.map((row) => [`${row.kind} ${row.name}`, row]))
      const causes = new Map(whole.causes.map((row) => [row.cause, row]))
      assert.deepStrictEqual(asObject(parts.types), asObject(types), `seed ${seed}`)
      assert.deepStrictEqual(asObject(parts.causes), asObject(causes), `seed ${seed}`)
    }
  })

  it("are equal if rows are stored ahead of the cursor, and entries are read again", () => {
    for (let seed = 1; seed <= 8; seed++) {
      const log = randomLog(seed, 60)
      const draw = numbers(seed)
      const ahead = summariesOf(log.slice(0, 40)).takeChanges()
      const again = new WorkspaceSummaries()
      again.load(
        ahead.types.filter(() => draw(2) === 0),
        ahead.causes.filter(() => draw(2) === 0),
      )
      for (const record of log) again.add(record)
      const whole = summariesOf(log).takeChanges()
      const byName = new Map(again.takeChanges().types.map((row) => [row.name, row]))
      for (const row of whole.types) assert.deepStrictEqual(byName.get(row.name), row, `seed ${seed}`)
    }
  })

  it("count each path and type as somebody who reads all events again", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const log = randomLog(seed, 80).filter(
        ({ entry }) => entry.name === "bought" && entry.kind === "event" && entry.outcome === "applied",
      )
      const expected = countedAgain(log)
      const { shape } = typeIn(summariesOf(log))
      const found = Object.fromEntries(
        shownPaths(shape)
          .filter(({ isNamed }) => isNamed)
          .map(({ path, segments }) => [
            pathText(segments),
            {
              count: path.count,
              types: Object.fromEntries(Array.from(path.types, ([type, { count }]) => [type, count])),
            },
          ]),
      )
      for (const [path, counts] of Object.entries(found))
        assert.deepStrictEqual(counts, expected.get(path), path)
      assert.isAbove(Object.keys(found).length, 3)
    }
  })

  it("leave out operations that had no effect", () => {
    const outcomes = ["duplicate", "ignored", "dropped", "rejected"] as const
    const summaries = summariesOf(outcomes.map((outcome, index) => recordAt(index + 1, { outcome })))
    const changes = summaries.takeChanges()
    assert.deepStrictEqual(changes.types, [])
    assert.strictEqual(changes.causes.length, 3)
  })

  it("name the path that a plan rejects by the keys of the plan, and what it strips by keys that are shared", () => {
    const reasons = [{ code: "plan_value", field: "properties.items.7.total", values: {} }]
    const entries = (["rejected", "partial"] as const).map((outcome) => recordAt(1, { outcome, reasons }))
    const fields = entries.flatMap((entry) => fieldsOf([entry]))
    assert.deepStrictEqual(fields, ["properties.items.[].total", "properties.*.[].*"])
  })

  it("count what does not fit a plan by name, also if it is rejected", () => {
    const plan = misfitOf("bought")
    const { counted, violations } = typeIn(
      summariesOf([
        recordAt(1, { outcome: "rejected", plan }),
        recordAt(2),
        recordAt(3, { plan, from: 2 }),
        recordAt(4, { outcome: "rejected", plan, kind: "anonymous_event" }),
        recordAt(5, { outcome: "duplicate", plan }),
        recordAt(6, { outcome: "rejected", plan: misfitOf("other") }),
        recordAt(7, { outcome: "rejected", plan: misfitOf(null), name: null }),
      ]),
    )
    assert.strictEqual(counted.count, 2)
    assert.deepStrictEqual(
      [violations?.count, violations?.first.position, violations?.last.position],
      [2, 3, 4],
    )
    assert.deepStrictEqual([...(violations?.senders.keys() ?? [])], [2, 1])
  })

  it("count all events of a busy minute, and look at one in sixteen beyond a thousand", () => {
    const events = 3 * minuteEntriesMax
    const log = Array.from({ length: events }, (_, index) => recordAt(index + 1, { receivedAt: noon }))
    const { counted, shape } = typeIn(summariesOf(log))
    assert.strictEqual(counted.count, events)
    const sampled = log.slice(minuteEntriesMax).filter(({ entry }) => entry.sequence % sampledOneIn === 0)
    assert.strictEqual(shape.entries, minuteEntriesMax + sampled.length)
  })

  it("keep a bounded number of names, paths and causes", () => {
    const names = Array.from({ length: namesMax + 50 }, (_, index) =>
      recordAt(index + 1, { name: `n ${words(index)}` }),
    )
    const types = summariesOf(names).takeChanges().types
    assert.strictEqual(types.length, namesMax + 1)
    const other = types.find(({ name }) => name === "*")
    assert.strictEqual(JSON.parse(other?.doc ?? "").count.n, 50)

    const data = Object.fromEntries(
      Array.from({ length: 90 }, (_, a) => [
        words(a),
        Object.fromEntries(Array.from({ length: 9 }, (_, b) => [words(b), 1])),
      ]),
    )
    const { shape } = typeIn(summariesOf([recordAt(1, { data })]))
    assert.strictEqual(shape.paths, pathsMax)
    assert.isAbove(shape.unplaced, 0)

    const refused = Array.from({ length: causesMax + 20 }, (_, index) =>
      recordAt(index + 1, { outcome: "rejected", reasons: [{ code: words(index), field: "", values: {} }] }),
    )
    const { causes, forgottenCauses } = summariesOf(refused).takeChanges()
    assert.strictEqual(causes.length, causesMax)
    assert.strictEqual(forgottenCauses.length, 20)
  })

  it("count what plans reject of further names as those of all further names", () => {
    const log = Array.from({ length: namesMax + 2 }, (_, index) =>
      recordAt(index + 1, { name: `n ${words(index)}` }),
    )
    const plan = misfitOf(`n ${words(namesMax + 1)}`)
    const misfits = [
      recordAt(namesMax + 3, { plan, name: plan.name }),
      recordAt(namesMax + 4, { outcome: "rejected", plan }),
    ]
    const summaries = summariesOf([...log, ...misfits])
    assert.strictEqual(typeIn(summaries, "*").violations?.count, 2)
    const full = summariesOf([...log.slice(0, namesMax), ...misfits.slice(1)])
    assert.strictEqual(full.takeChanges().types.length, namesMax, "no other call has the name")
  })

  it("take an object with many keys for a table", () => {
    const paths = pathsOf([1, 2].map((person) => recordAt(person, { person, data: { by: tableOf(person) } })))
    assert.deepStrictEqual(paths, ["by", "by.*", "by.*.seen"])
  })
})

/** Returns an object with too many keys. */
function tableOf(person: number) {
  return Object.fromEntries(
    Array.from({ length: siblingsMax + 1 }, (_, index) => [words(index), { seen: person }]),
  )
}

/** Counts paths by reading all events again, a path and an event at a time. Keys that one person alone sends are left out. */
function countedAgain(log: ReadonlyArray<ActivityRecord>) {
  const senders = new Map<string, Set<number>>()
  const found = new Map<string, { count: number; types: Record<string, number> }>()
  for (const { entry } of log) {
    const inEvent = new Map<string, Set<string>>()
    visit(entry.data, "", inEvent)
    for (const [path, types] of inEvent) {
      senders.set(path, (senders.get(path) ?? new Set()).add(Number(entry.subject)))
      const known = found.get(path) ?? { count: 0, types: {} }
      known.count++
      for (const type of types) known.types[type] = (known.types[type] ?? 0) + 1
      found.set(path, known)
    }
  }
  for (const [path, people] of senders) if (people.size < 2) found.delete(path)
  return found
}

function visit(value: Json, path: string, into: Map<string, Set<string>>, depth = 0): void {
  if (!isJsonObject(value) || depth >= 6) return
  for (const [key, inner] of Object.entries(value)) {
    if (looksLikeData(key)) continue
    const at = path === "" ? key : `${path}.${key}`
    const type =
      inner === null
        ? "null"
        : Array.isArray(inner)
          ? "array"
          : typeof inner === "number"
            ? Number.isInteger(inner)
              ? "integer"
              : "number"
            : typeof inner
    into.set(at, (into.get(at) ?? new Set()).add(type))
    visit(inner, at, into, depth + 1)
  }
}
