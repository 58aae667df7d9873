import { assert, it } from "@effect/vitest"
import type { CountedSteps } from "@inlethq/core/catalog/ActivityCounts"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Registry } from "@inlethq/core/ports/Registry"
import { dayMs, hourMs, minuteMs } from "@inlethq/core/values/Timestamp"
import { kindOf, outcomeOf } from "@inlethq/storage/columns/codes"
import { integer, integerOrNull } from "@inlethq/storage/columns/columns"
import {
  byId,
  event,
  first,
  identify,
  noon,
  reject,
  remove,
} from "@inlethq/store-conformance/script/commands"
import { apply, sweepAll } from "@inlethq/store-conformance/script/scenario"
import { Effect } from "effect"
import type { Session } from "../src/engine/Connection.ts"
import { blockEntries } from "../src/log/blocks.ts"
import { describeServers, sessionTo } from "./server.ts"
import { emptyTables, nodeAt } from "./stores.ts"

const asked: ReadonlyArray<CountedSteps> = [
  { from: noon - 2 * dayMs, stepMs: 4 * dayMs, steps: 1 },
  { from: noon - minuteMs, stepMs: minuteMs, steps: 60 },
  { from: noon + 1001, stepMs: 90_001, steps: 7 },
  { from: noon + 5 * minuteMs, stepMs: hourMs, steps: 24 },
]

const scanSql = `
  SELECT (received - $1::bigint) / $2::bigint AS step, kind, outcome, count(*) AS count FROM activity
  WHERE workspace = ${first.id} AND received >= $1 AND received < $1::bigint + $2::bigint * $3::bigint GROUP BY 1, 2, 3`

/** Counts every row of the log. */
const scan = (session: Session, { from, stepMs, steps }: CountedSteps) =>
  Effect.map(session.query(scanSql, [from, stepMs, steps]), (rows) =>
    rows
      .map((row) => {
        const kind = integerOrNull(row["kind"])
        const outcome = outcomeOf(integer(row["outcome"]))
        return `${integer(row["step"])} ${kind === null ? null : kindOf(kind)} ${outcome} ${integer(row["count"])}`
      })
      .toSorted(),
  )

/** Expects of the store that it counts as a scan of the whole log does. */
const expectCounted = (session: Session, when: string) =>
  Effect.forEach(asked, (steps) =>
    Effect.gen(function* () {
      const { counts, firstStep } = yield* (yield* Catalog).counts(first.id, steps)
      const counted = counts.map(({ count, kind, outcome, step }) => `${step} ${kind} ${outcome} ${count}`)
      assert.strictEqual(firstStep, 0)
      assert.deepStrictEqual(counted.toSorted(), yield* scan(session, steps), when)
    }),
  )

const countedTo = (session: Session) =>
  Effect.map(session.query("SELECT counted_to, next_sequence FROM heads"), ([row]) => ({
    counted: integer(row?.["counted_to"]),
    next: integer(row?.["next_sequence"]),
  }))

/** Three thousand operations of a hundred people, one every 0.3 seconds, some of which are kept only for days. */
const fill = Effect.forEach([0, 1, 2], (part) =>
  apply(
    ...Array.from({ length: 1000 }, (_, n) => {
      const at = { receivedAt: noon + (part * 1000 + n) * 300 }
      const person = byId(`person ${n % 100}`)
      if (n % 7 === 0) return identify(person, [], at)
      return n % 11 === 0 ? { ...reject(at), kind: null } : event(person, "seen", at)
    }),
  ),
)

describeServers("counts of the log", (server) => {
  it.live("equal a scan of the log after people were erased and old entries were pruned", () =>
    Effect.gen(function* () {
      const url = yield* emptyTables(server())
      const session = yield* sessionTo(url)
      yield* Effect.gen(function* () {
        const { id: _, ...settings } = first
        const workspace = yield* (yield* Registry).createWorkspace(settings)
        yield* fill
        yield* expectCounted(session, "before housekeeping")
        yield* sweepAll(noon + hourMs)
        const { counted, next } = yield* countedTo(session)
        assert.strictEqual(counted, Math.floor(next / blockEntries) * blockEntries)
        yield* expectCounted(session, "after housekeeping")
        yield* apply(
          ...Array.from({ length: 40 }, (_, n) => remove(byId(`person ${n}`), { receivedAt: noon + hourMs })),
        )
        yield* sweepAll(noon + hourMs)
        yield* expectCounted(session, "after deletions")
        yield* sweepAll(noon + 31 * dayMs)
        yield* expectCounted(session, "after the end of the history")
        const limits = { ...workspace, retentionDays: 40 }
        yield* (yield* Registry).updateWorkspace(workspace, limits)
        yield* sweepAll(noon + 40 * dayMs + 10 * minuteMs)
        yield* expectCounted(session, "while the retention ends")
        yield* sweepAll(noon + 42 * dayMs)
        yield* expectCounted(session, "after the end of the retention")
        assert.deepStrictEqual(yield* session.query("SELECT * FROM log_counts WHERE block < 5"), [])
      }).pipe(Effect.provide(nodeAt(url, { sweepRowsMax: 100 })))
    }),
  )

  it.live("add up whole blocks without reading their entries", () =>
    Effect.gen(function* () {
      const url = yield* emptyTables(server())
      const session = yield* sessionTo(url)
      yield* Effect.gen(function* () {
        yield* fill
        yield* sweepAll(noon + hourMs)
        const { counts } = yield* Catalog
        const day = { from: noon - hourMs, stepMs: dayMs, steps: 1 }
        const before = yield* counts(first.id, day)
        const { counted } = yield* countedTo(session)
        yield* session.execute("DELETE FROM activity WHERE sequence < $1", [counted])
        assert.deepStrictEqual(yield* counts(first.id, day), before)
      }).pipe(Effect.provide(nodeAt(url)))
    }),
  )
})
