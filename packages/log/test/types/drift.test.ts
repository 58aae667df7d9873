import { assert, describe, it } from "@effect/vitest"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { operationSequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { dayMs, hourMs } from "@inlethq/core/values/Timestamp"
import { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Effect } from "effect"
import { driftOfNames, driftOfShape, newestDrift, type DriftSince } from "../../src/types/driftOf.ts"
import { storedTypeFrom, typeFromRow } from "../../src/types/WorkspaceSummaries.ts"
import { typeDocument } from "../../src/types/typeDocuments.ts"
import { driftInRange, type DriftSource } from "../../src/types/readDrift.ts"
import { numbers } from "../../../../tools/testing/randomNumbers.ts"
import { noon, recordAt, summariesOf } from "./records.ts"

const shown = { workspace: WorkspaceId.make(1), senders: new Map() }

/** Returns the changes in a log: kind of change, name, path, and the position of the operation that shows it. */
const changesIn = (log: ReadonlyArray<ActivityRecord>, since: DriftSince, now = noon) => {
  const rows = summariesOf(log).takeChanges().types
  const names = rows.map((row) => ({ kind: row.kind, name: row.name, stored: storedTypeFrom(row) }))
  const found = [
    ...driftOfNames(shown, names, since, now),
    ...rows.flatMap((row) => driftOfShape(shown, row, typeFromRow(row), since)),
  ]
  return newestDrift(found).items.map(({ change, name, operation_id, path }) =>
    [change, name, path, operationSequence(shown.workspace, operation_id)].join(" "),
  )
}

const misfit = { name: "bought", version: 1, violations: [] }

const both = (first: number, data: object): ReadonlyArray<ActivityRecord> =>
  [1, 2].map((person) => recordAt(first + person - 1, { person, data: { ...data } }))

describe("drift", () => {
  it("says nothing of what was there before", () => {
    const log = [...both(1, { total: 1 }), ...both(3, { total: 2 })]
    assert.deepStrictEqual(changesIn(log, { position: 2 }), [])
    assert.deepStrictEqual(changesIn(log, { position: 0 }), ["new_name bought  1"])
  })

  it("names the first operation of a new path, of another type, and of an absence", () => {
    const log = [
      ...both(1, { total: 1, note: "x", deep: { a: 1 } }),
      ...both(3, { total: 1.5, note: "x", deep: { a: 1 } }),
      ...both(5, { total: "2", deep: { a: 1 }, more: { inner: 1 } }),
      ...both(7, { total: "2" }),
    ]
    assert.deepStrictEqual(changesIn(log, { position: 2 }).toSorted(), [
      "new_path bought more 5",
      "presence_fell bought deep 7",
      "presence_fell bought note 5",
      "widened_type bought total 3",
      "widened_type bought total 5",
    ])
  })

  it("takes a key for new once a second person sends it, however long the first has", () => {
    const alone = [1, 2, 3].map((position) => recordAt(position, { data: { total: 1, odd: 1 } }))
    const log = [
      ...alone,
      recordAt(4, { person: 2, data: { total: 1 } }),
      recordAt(5, { person: 2, data: { total: 1, odd: 1 } }),
    ]
    assert.deepStrictEqual(changesIn(log, { position: 4 }), ["new_path bought odd 1"])
  })

  it("finds names that are nearly another", () => {
    const log = [
      recordAt(1, { name: "Order Placed" }),
      recordAt(2, { name: "order_placed" }),
      recordAt(3, { name: "Orders" }),
    ]
    assert.deepStrictEqual(changesIn(log, { position: 1 }), [
      "new_name Orders  3",
      "new_name order_placed  2",
      "similar_name order_placed  2",
    ])
  })

  it("calls a name silent after five times its usual gap, and at the earliest after a day", () => {
    const hourly = Array.from({ length: 30 }, (_, index) =>
      recordAt(index + 1, { receivedAt: noon + index * hourMs }),
    )
    const end = noon + 29 * hourMs
    assert.deepStrictEqual(changesIn(hourly, { time: end }, end + dayMs - 1), [])
    assert.deepStrictEqual(changesIn(hourly, { time: end }, end + dayMs), ["silent bought  30"])
    const daily = Array.from({ length: 10 }, (_, index) =>
      recordAt(index + 1, { receivedAt: noon + index * dayMs }),
    )
    const last = noon + 9 * dayMs
    assert.deepStrictEqual(changesIn(daily, { time: last }, last + 5 * dayMs - 1), [])
    assert.deepStrictEqual(changesIn(daily, { time: last }, last + 5 * dayMs), ["silent bought  10"])
    assert.deepStrictEqual(changesIn([recordAt(1)], { position: 1 }, noon + 300 * dayMs), [])
  })

  it("does not call a name silent while its plan rejects what comes", () => {
    const daily = Array.from({ length: 20 }, (_, index) => {
      const receivedAt = noon + index * dayMs
      return recordAt(index + 1, { receivedAt, ...(index > 9 && { outcome: "rejected", plan: misfit }) })
    })
    const last = noon + 19 * dayMs
    assert.deepStrictEqual(changesIn(daily, { time: last }, last), [])
    assert.deepStrictEqual(changesIn(daily, { time: last }, last + 5 * dayMs), ["silent bought  20"])
    const [row] = summariesOf(daily).takeChanges().types
    assert(row !== undefined)
    assert.isNull(typeDocument(shown, row, last).silent_since)
    assert.isNotNull(typeDocument(shown, row, last + 5 * dayMs).silent_since)
  })
})

/** Returns what changes are read from: the summaries of a log, without senders. */
const sourceOf = (log: ReadonlyArray<ActivityRecord>): DriftSource => {
  const { types } = summariesOf(log).takeChanges()
  const page = Effect.succeed({ items: types, next: null })
  return {
    summaries: {
      types: () => page,
      shapedTypes: () => page,
      type: (_, { kind, name }) =>
        Effect.succeed(types.find((row) => row.kind === kind && row.name === name) ?? null),
      causes: () => Effect.succeed({ items: [], next: null }),
      commit: () => Effect.succeed(false),
    },
    registry: { senders: () => Effect.succeed(new Map()) },
    turns: new ReadTurns(),
  }
}

describe("what each operation changed", () => {
  const names = ["bought", "Bought", "seen"]
  const values = [1, 1.5, "x", true, null, [1], { a: 1 }, { a: "x", b: 2 }]

  /** Returns a log that is the same for the same seed. */
  const randomLog = (seed: number): ReadonlyArray<ActivityRecord> => {
    const draw = numbers(seed + 1)
    return Array.from({ length: 40 }, (_, index) =>
      recordAt(index + 1, {
        person: 1 + draw(3),
        name: names[draw(names.length)] ?? "",
        data: Object.fromEntries(
          ["total", "note", "deep"]
            .filter(() => draw(10) < 7)
            .map((key) => [key, values[draw(values.length)] ?? null]),
        ),
      }),
    )
  }

  it.effect("is the same however the log is divided", () =>
    Effect.forEach(Array.from({ length: 12 }), (_, seed) =>
      Effect.gen(function* () {
        const source = sourceOf(randomLog(seed))
        const changes = (after: number, to: number) =>
          Effect.map(driftInRange(source, shown.workspace, { after, to }), (found) =>
            found.map(({ document, seen }) => JSON.stringify([seen.position, document])),
          )
        const whole = yield* changes(0, 40)
        const again = yield* Effect.forEach(
          yield* driftInRange(source, shown.workspace, { after: 0, to: 40 }),
          ({ document, names, seen: { position } }) =>
            Effect.map(
              driftInRange(source, shown.workspace, { after: position - 1, to: position }, names),
              (found) => found.some((one) => JSON.stringify(one.document) === JSON.stringify(document)),
            ),
        )
        assert.isFalse(again.includes(false), "a change is found again by reading its names only")
        const at = 1 + ((seed * 7) % 39)
        const parts = [...(yield* changes(0, at)), ...(yield* changes(at, 40))]
        assert.sameMembers([...parts], [...whole])
        const single = yield* Effect.forEach(Array.from({ length: 40 }), (__, index) =>
          changes(index, index + 1),
        )
        assert.sameMembers(single.flat(), [...whole])
        assert.isAbove(whole.length, 3)
      }),
    ),
  )
})
