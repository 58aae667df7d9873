import { Catalog } from "@inlethq/core/catalog/Catalog"
import { dayMs, hourMs, minuteMs } from "@inlethq/core/values/Timestamp"
import { historyDaysDefault } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { byId, bySvcId, event, first, identify, noon, reject, remove, second } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, sweepAll } from "../script/scenario.ts"

const at = (minutes: number) => ({ receivedAt: noon + minutes * minuteMs })

/** The properties that every store must have when it counts its log. */
export const countLaws: ReadonlyArray<Law> = [
  {
    name: "counts entries by time of receipt (in steps of equal length), kind and outcome, also while housekeeping indexes the log",
    check: Effect.gen(function* () {
      yield* apply(
        event(byId("ada"), "too early", at(-1)),
        identify(byId("ada"), [], at(0)),
        event(byId("ada"), "a", at(0.5)),
        event(bySvcId(999), "dropped", at(1)),
        event(byId("ada"), "elsewhere", { ...at(1), in: second }),
        { ...reject(at(2)), kind: null },
      )
      yield* apply(...Array.from({ length: 5000 }, (_, i) => event(byId("ada"), "b", at(i < 1000 ? 2.5 : 3))))
      yield* apply(event(byId("ada"), "too late", at(4)))
      const expected = [
        { step: 0, kind: "event", outcome: "applied", count: 1 },
        { step: 0, kind: "identify", outcome: "created", count: 1 },
        { step: 1, kind: "event", outcome: "dropped", count: 1 },
        { step: 2, kind: "event", outcome: "applied", count: 1000 },
        { step: 2, kind: null, outcome: "rejected", count: 1 },
        { step: 3, kind: "event", outcome: "applied", count: 4000 },
      ] as const
      const { counts } = yield* Catalog
      const hour = { from: noon, stepMs: minuteMs, steps: 4 }
      yield* expectSame("new entries", yield* counts(first.id, hour), { counts: expected, firstStep: 0 })
      yield* sweepAll(noon + 4 * minuteMs)
      yield* expectSame("indexed entries", yield* counts(first.id, hour), { counts: expected, firstStep: 0 })
      const late = yield* counts(first.id, { from: noon + 3 * minuteMs, stepMs: 4 * minuteMs, steps: 1 })
      yield* expectSame("one long step", late.counts, [
        { step: 0, kind: "event", outcome: "applied", count: 4001 },
      ])
      const nothing = yield* counts(first.id, { from: noon + 9 * minuteMs, stepMs: minuteMs, steps: 500 })
      yield* expectSame("an empty time", nothing, { counts: [], firstStep: 0 })
    }),
  },
  {
    name: "counts indexed entries as it counts new ones, wherever steps begin and end",
    check: Effect.gen(function* () {
      const commands = Array.from({ length: 9000 }, (_, i) => {
        const at = { receivedAt: noon + Math.floor(i / 7) * 1000 + (i > 6000 ? hourMs : 0) }
        return i % 5 === 0
          ? identify(byId(`person ${i % 90}`), [], at)
          : event(bySvcId(999), i % 3 === 0 ? "a" : "b", at)
      })
      for (let i = 0; i < commands.length; i += 1000) yield* apply(...commands.slice(i, i + 1000))
      const { counts } = yield* Catalog
      const asked = [
        { from: noon - minuteMs, stepMs: 24 * hourMs, steps: 1 },
        { from: noon - minuteMs, stepMs: minuteMs, steps: 100 },
        { from: noon + 1, stepMs: 7 * minuteMs + 13, steps: 5 },
        { from: noon + 3 * minuteMs, stepMs: 1000, steps: 500 },
        { from: noon - 100 * minuteMs, stepMs: minuteMs, steps: 100 },
        { from: noon + hourMs, stepMs: hourMs, steps: 3 },
      ]
      const all = Effect.forEach(asked, (steps) => counts(first.id, steps))
      const before = yield* all
      yield* sweepAll(noon + 2 * hourMs)
      yield* expectSame("indexed entries", yield* all, before)
    }),
  },
  {
    name: "counts pruned entries no more, even if few of their part of the log are left",
    check: Effect.gen(function* () {
      const commands = Array.from({ length: 13_000 }, (_, i) =>
        i % 1000 === 0 ? identify(byId(`person ${i}`)) : event(byId("person 0"), "seen"),
      )
      for (let i = 0; i < commands.length; i += 1000) yield* apply(...commands.slice(i, i + 1000))
      yield* sweepAll(noon)
      yield* apply(remove(byId("person 0")))
      yield* sweepAll(noon)
      const { counts } = yield* Catalog
      const identified = Effect.map(
        counts(first.id, { from: noon - hourMs, stepMs: 2 * hourMs, steps: 1 }),
        (found) => found.counts.filter(({ kind }) => kind === "identify").map(({ count }) => count),
      )
      yield* expectSame("before", yield* identified, [13])
      yield* sweepAll(noon + (historyDaysDefault + 1) * dayMs)
      yield* expectSame("pruned", yield* identified, [])
      yield* expectSame("entries", yield* activity(), [])
    }),
  },
]
