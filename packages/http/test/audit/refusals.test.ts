import { assert, it } from "@effect/vitest"
import { AuditPosition, type AuditRecord, type NewAuditRecord } from "@inlethq/core/audit/AuditRecord"
import type { AuditLog } from "@inlethq/core/ports/AuditLog"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeRefusals, waitingRefusalsMax } from "../../src/audit/Refusals.ts"

const refusal = (action: string): NewAuditRecord => ({
  workspace: null,
  action,
  outcome: "refused",
  status: 403,
  actor: { kind: "token", id: "t1", name: "CI" },
  target: null,
  changes: [],
  details: {},
  address: null,
  forwardedFor: null,
  userAgent: null,
  count: 1,
})

/** An audit log in memory that fails while `isDown`. */
const failingLog = () => {
  const records = new Map<number, AuditRecord>()
  const state = { isDown: false }
  const whenUp = <A>(run: () => A) =>
    Effect.suspend(() =>
      state.isDown
        ? Effect.fail(new StoreUnavailable({ operation: "write", cause: "down" }))
        : Effect.succeed(run()),
    )
  const log: AuditLog["Service"] = {
    append: (record, at) =>
      whenUp(() => {
        const stored = { ...record, position: AuditPosition.make(records.size + 1), at }
        records.set(stored.position, stored)
        return stored
      }),
    replace: (record) => whenUp(() => void records.set(record.position, record)),
    read: () => Effect.die("not read"),
    prune: () => Effect.succeed(true),
  }
  return { log, state, counts: () => [...records.values()].map(({ action, count }) => [action, count]) }
}

it.effect("the counts of minutes in which the store failed are written once it works again", () =>
  Effect.gen(function* () {
    const { counts, log, state } = failingLog()
    const refusals = yield* makeRefusals(log)
    yield* refusals.count(refusal("key.create"))
    yield* TestClock.adjust("2 seconds")
    state.isDown = true
    yield* refusals.count(refusal("key.create"))
    yield* refusals.count(refusal("key.delete"))
    yield* TestClock.adjust("70 seconds")
    yield* refusals.count(refusal("key.create"))
    yield* TestClock.adjust("70 seconds")
    assert.deepStrictEqual(counts(), [["key.create", 1]])
    state.isDown = false
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(counts(), [
      ["key.create", 2],
      ["key.delete", 1],
      ["key.create", 1],
    ])
  }),
)

it.effect("the oldest of very many records that wait for the store are lost", () =>
  Effect.gen(function* () {
    const { counts, log, state } = failingLog()
    const refusals = yield* makeRefusals(log)
    state.isDown = true
    const perMinute = 10
    const minutes = waitingRefusalsMax / perMinute + 2
    for (let minute = 0; minute < minutes; minute++) {
      for (let place = 0; place < perMinute; place++) {
        yield* refusals.count(refusal(`minute ${minute}, ${place}`))
      }
      yield* TestClock.adjust("1 minute")
    }
    state.isDown = false
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(counts().length, waitingRefusalsMax + perMinute)
    assert.deepStrictEqual(counts()[0], ["minute 1, 0", 1])
  }),
)
