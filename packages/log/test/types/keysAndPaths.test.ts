import { assert, describe, it } from "@effect/vitest"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { emptyPerson, patchPerson } from "@inlethq/core/state/Person"
import { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { looksLikeData } from "../../src/types/looksLikeData.ts"
import { Sketch } from "../../src/types/Sketch.ts"
import { pathText, presenceOf, shownPaths } from "../../src/types/shownPaths.ts"
import { fieldsOf, noon, pathsOf, recordAt, schemaOf, summariesOf, typeIn } from "./records.ts"

describe("keys and names that are data", () => {
  it.each([
    "ada@example.com",
    "12345",
    "550e8400-e29b-41d4-a716-446655440000",
    "order_20260131",
    "user-8f3a91c2bd",
    "cus_NffrFeUfNV2Hib42Xy",
    "+49 170 1234567",
    "2026-01-31",
    "x".repeat(200),
  ])("%s looks like data", (text) => assert.isTrue(looksLikeData(text)))

  it.each([
    "total",
    "Order Placed",
    "utm_source",
    "page2",
    "iso3166",
    "numberOfItemsInTheCart",
    "address_line_1",
    "größe",
    "价格",
  ])("%s does not", (text) => assert.isFalse(looksLikeData(text)))

  it("are never stored", () => {
    const secret = "ada@example.com"
    const log = [
      recordAt(1, { data: { [secret]: 1, a: { [secret]: [{ [secret]: secret }] } } }),
      recordAt(2, { name: secret, person: 2, data: { [secret]: secret } }),
      recordAt(3, {
        outcome: "rejected",
        reasons: [{ code: "x", field: `attributes.${secret}`, values: { v: secret } }],
      }),
    ]
    assert.notInclude(JSON.stringify(summariesOf(log).takeChanges()), secret)
  })

  it("are not in causes, unless more than one person has sent them", () => {
    const fields = ["attributes.plan", "email", "batch.3.identifiers.id", "adas"]
    const log = fields.map((field, index) => refused(index + 10, field))
    assert.deepStrictEqual(fieldsOf(log), ["attributes.*", "email", "batch.[].identifiers.id", "*"])
    const plans = [
      recordAt(1, { person: 1, kind: "identify", data: { plan: 1, adas: 1 } }),
      recordAt(2, { person: 2, kind: "identify", data: { plan: 1 } }),
    ]
    const known = fieldsOf([...plans, ...log])
    assert.include(known, "attributes.plan")
    assert.notInclude(known, "adas")
  })

  it("are those of one person, who was a visitor before, or was merged", () => {
    const visitorBefore = { key: SubjectKey.make(7), at: noon, since: noon, merged: false }
    const owner = patchPerson(emptyPerson(SubjectKey.make(8), WorkspaceId.make(1), noon), {
      attached: [visitorBefore],
    })
    const visitor = recordAt(1, { person: 7, data: { odd: 1 } })
    const person = { ...recordAt(2, { person: 8, data: { odd: 1 } }), owner }
    assert.deepStrictEqual(pathsOf([visitor, person]), ["*"])
    assert.deepStrictEqual(pathsOf([visitor, person, recordAt(3, { person: 9, data: { odd: 1 } })]), ["odd"])
  })

  it("are those that one person alone has sent, until another sends them too", () => {
    const alone = [1, 2].map((position) => recordAt(position, { data: { total: 1, odd: 1 } }))
    assert.deepStrictEqual(pathsOf(alone), ["*"])
    const shared = [...alone, recordAt(3, { person: 2, data: { total: 2 } })]
    assert.deepStrictEqual(pathsOf(shared), ["total", "*"])
  })

  it("are forgotten with the person who sent them", () => {
    const summaries = summariesOf([
      recordAt(1, { data: { total: 1, adas: { own: 1 } } }),
      recordAt(2, { person: 2, data: { total: 1, bobs: 1 } }),
    ])
    summaries.forget(new Set())
    assert.isNull(summaries.doubtful)
    summaries.add(recordAt(3, { kind: "delete", person: 1, data: null }))
    assert.deepStrictEqual(summaries.doubtful, new Set([1, 2]))
    summaries.forget(new Set([1]))
    const text = JSON.stringify(summaries.takeChanges())
    assert.notInclude(text, "adas")
    assert.notInclude(text, "own")
    assert.include(text, "bobs")
  })
})

describe("what was missing", () => {
  it("is noted at the first event that lacks a path", () => {
    const whole = { total: 1, note: "x" }
    const log = [
      recordAt(1, { data: { total: 1 } }),
      recordAt(2, { data: whole, person: 2 }),
      recordAt(3, { data: whole, person: 1 }),
      recordAt(4, { data: { note: "x" } }),
      recordAt(5, { data: {} }),
    ]
    const { shape } = typeIn(summariesOf(log))
    const found = Object.fromEntries(
      shownPaths(shape).map((at) => [
        pathText(at.segments),
        [at.path.before, at.path.missing?.position ?? null, presenceOf(at, shape)],
      ]),
    )
    assert.deepStrictEqual(found, { total: [0, 4, 0.6], note: [1, 5, 0.75] })
  })

  it("is judged from the days that are kept", () => {
    const hourly = Array.from({ length: 48 }, (_, index) =>
      recordAt(index + 1, { receivedAt: noon + index * 3_600_000 }),
    )
    const late = recordAt(100, { receivedAt: noon + 40 * dayMs })
    const { counted } = typeIn(summariesOf([...hourly, late]))
    assert.strictEqual(typeIn(summariesOf(hourly)).counted.medianGapMs, 3_600_000)
    assert.strictEqual(counted.days.length, 1)
    assert.strictEqual(counted.count, 49)
  })
})

describe("the schema of a name", () => {
  it("names what every event has as required, and formats that every text has", () => {
    const schema = schemaOf([
      recordAt(1, { data: { at: "2026-01-31", n: 1, note: "x" } }),
      recordAt(2, { person: 2, data: { at: "2026-02-01", n: 1.5, note: null } }),
      recordAt(3, { person: 2, data: { at: "2026-02-02", n: 2 } }),
      recordAt(4, { person: 1, data: { at: "2026-02-02", n: 2 } }),
    ])
    assert.deepStrictEqual(schema, {
      type: "object",
      properties: {
        at: { type: "string", format: "date" },
        n: { type: "number" },
        note: { type: ["null", "string"] },
      },
      required: ["at", "n"],
    })
  })
})

describe("a sketch", () => {
  it("estimates how many different texts there were", () => {
    for (const count of [1, 10, 100, 1000, 10_000]) {
      const sketch = new Sketch()
      for (let index = 0; index < 3 * count; index++) sketch.add(`text ${index % count}`)
      assert.approximately(sketch.estimate, count, Math.max(1, count * 0.35))
      assert.strictEqual(Sketch.fromText(sketch.toText()).estimate, sketch.estimate)
    }
  })
})

function refused(position: number, field: string): ActivityRecord {
  return recordAt(position, {
    kind: "identify",
    outcome: "partial",
    reasons: [{ code: "x", field, values: {} }],
  })
}
