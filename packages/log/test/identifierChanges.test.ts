import { assert, describe, it } from "@effect/vitest"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { IdentifierChanges } from "../src/history/IdentifierChanges.ts"
import { recordAt } from "./types/records.ts"

const workspace = WorkspaceId.make(1)

/** A log that counts the entries that are read of it. */
class Log implements Pick<Snapshot, "activity"> {
  readonly records: Array<ActivityRecord> = []
  read = 0

  /** Adds an entry that gives a person another id, or one that changes nobody's. */
  add(person: number | null): void {
    const subject = SubjectKey.make(person ?? 1)
    const overwritten = person === null ? [] : [{ subject, before: { id: "before" } }]
    this.records.push(recordAt(this.records.length + 1, { overwritten }))
  }

  readonly activity: Snapshot["activity"] = (_workspace, _filter, { after, limit }) => {
    const items = this.records.slice(after ?? 0, (after ?? 0) + limit)
    this.read += items.length
    const last = items.at(-1)?.entry.sequence
    return Effect.succeed({ items, next: last === undefined || last === this.records.length ? null : last })
  }
}

const person = SubjectKey.make(7)

describe("identifier changes", () => {
  it.effect("are known after the position from which they are followed, once all entries are read", () =>
    Effect.gen(function* () {
      const log = new Log()
      log.add(null)
      log.add(7)
      log.add(null)
      const changes = new IdentifierChanges()
      const haveStayed = yield* changes.follow(log, workspace, 1)
      assert.deepStrictEqual(
        [0, 1, 2, 3].map((position) => haveStayed(person, position)),
        [false, false, true, true],
      )
      assert.isTrue(haveStayed(SubjectKey.make(8), 1))
      log.add(7)
      const later = yield* changes.follow(log, workspace, 3)
      assert.deepStrictEqual([later(person, 3), later(person, 4)], [false, true])
      const earlier = yield* changes.follow(log, workspace, 0)
      assert.deepStrictEqual([earlier(person, 0), earlier(SubjectKey.make(8), 0)], [false, true])
      assert.isFalse(later(person, 4))
    }),
  )

  it.effect("are read a bounded number of entries at a time, and nothing is known before the end", () =>
    Effect.gen(function* () {
      const log = new Log()
      for (let n = 0; n < 12_000; n++) log.add(null)
      const changes = new IdentifierChanges()
      for (const known of [false, false, true]) {
        const haveStayed = yield* changes.follow(log, workspace, 0)
        assert.strictEqual(haveStayed(person, 0), known)
      }
      assert.strictEqual(log.read, 12_000)
    }),
  )

  it.effect("are not read again for a position far back, of which nothing is known", () =>
    Effect.gen(function* () {
      const log = new Log()
      for (let n = 0; n < 12_000; n++) log.add(null)
      const changes = new IdentifierChanges()
      yield* changes.follow(log, workspace, 11_000)
      const haveStayed = yield* changes.follow(log, workspace, 10)
      assert.deepStrictEqual(
        [10, 11_000].map((position) => haveStayed(person, position)),
        [false, true],
      )
      assert.strictEqual(log.read, 1000)
    }),
  )

  it.effect("are forgotten from the oldest on, of more than 50,000 people", () =>
    Effect.gen(function* () {
      const log = new Log()
      for (let n = 1; n <= 50_100; n++) log.add(n)
      const changes = new IdentifierChanges()
      let haveStayed = yield* changes.follow(log, workspace, 0)
      for (let n = 0; n < 11; n++) haveStayed = yield* changes.follow(log, workspace, 0)
      const nobody = SubjectKey.make(60_000)
      assert.deepStrictEqual(
        [99, 100, 50_100].map((position) => haveStayed(nobody, position)),
        [false, true, true],
      )
      assert.isFalse(haveStayed(SubjectKey.make(101), 100))
      assert.isTrue(haveStayed(SubjectKey.make(101), 101))
    }),
  )
})
