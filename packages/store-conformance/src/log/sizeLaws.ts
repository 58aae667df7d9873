import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { mergesInto } from "@inlethq/engine/erasures/merges"
import { nextBuildStep } from "@inlethq/engine/rules/nextBuildStep"
import { SegmentSizes, sizeDaysMax } from "@inlethq/core/ports/SegmentSizes"
import type { Store } from "@inlethq/core/ports/Store"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import {
  byId,
  event,
  first,
  identify,
  merge,
  noon,
  objectOf,
  relate,
  remove,
  second,
  suppress,
  unmerge,
} from "../script/commands.ts"
import {
  createSegment,
  deleteSegment,
  joinSegment,
  leaveSegment,
  updateSegment,
} from "../script/segmentCommands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, list, personBy, sweepAll } from "../script/scenario.ts"

const day = 86_400_000

/** A time on a day, the first of which is 0. */
const on = (n: number, ms = 0) => ({ receivedAt: noon + n * day + ms, at: noon + n * day + ms })

const dayIn = (ms: number): number => Math.floor(ms / day)

/** The number of the first day, counted from 1970. */
const dayZero = dayIn(noon)

const isPro = { attribute: { field: "plan", operator: "eq", value: "pro" } }

const join = (n: number, segment: number, ...people: ReadonlyArray<string>) =>
  joinSegment(segment, people.map(byId), on(n))

const plan = (n: number, person: string, value: string) => identify(byId(person), [["plan", value]], on(n))

/** Runs all builds to their ends on a day. */
const build = (n: number) =>
  Effect.gen(function* () {
    for (;;) {
      const steps = yield* nextBuildStep(first, on(n).receivedAt)
      if (steps.length === 0) return
      yield* apply(...steps)
    }
  })

const members = (segment: number) =>
  Effect.map(
    list((catalog, { id }, page) => catalog.members(id, SubjectKey.make(segment), page)),
    (found) => found.length,
  )

/** Returns the sizes that a store keeps from a day on, as day of the law and size. */
const kept = (segment: number, since = 0, workspace = first) =>
  Effect.gen(function* () {
    const found = yield* (yield* SegmentSizes).since(workspace.id, SubjectKey.make(segment), dayZero + since)
    return found.map((one) => [one.day - dayZero, one.size] as const)
  })

/** Returns the size of a segment on each day up to `last`; null where nothing is known. Reads the rows one by one. */
const days = (segment: number, last: number) =>
  Effect.gen(function* () {
    const rows = yield* kept(segment)
    return Array.from({ length: last + 1 }, (_, n) => {
      let size: number | null = null
      for (const [at, then] of rows) if (at <= n) size = then
      return size
    })
  })

/**
 * Adds up who has entered and left a segment by the end of each day, as somebody knows who follows the log: entries lose
 * what concerns people who are deleted later.
 */
const folded = (followed: ReadonlyArray<ActivityEntry>, segment: number, last: number) =>
  Array.from({ length: last + 1 }, (_, n) => {
    let size = 0
    for (const { effects, receivedAt } of followed) {
      if (dayIn(receivedAt) > dayZero + n) continue
      for (const one of effects) if (one.segment === segment) size += one.change === "entered" ? 1 : -1
    }
    return size
  })

const unmergeLast = (n: number, id: string) =>
  Effect.gen(function* () {
    const person = yield* personBy({ kind: "id", value: id })
    const page = { after: null, limit: 1, order: "desc" } as const
    const found =
      person === null ? [] : (yield* mergesInto(yield* Catalog, person, on(n).receivedAt, page)).items
    return yield* apply(...found.map((one) => unmerge(one, on(n))))
  })

/** The properties that every store must have in keeping the sizes that segments had. */
export const sizeLaws: ReadonlyArray<Law<Catalog | SegmentSizes | Store>> = [
  {
    name: "contract §12 sizes by day: the sizes of a segment with a rule are what the log says who entered and left",
    check: Effect.gen(function* () {
      const followed: Array<ActivityEntry> = []
      const follow = ({ entries }: { readonly entries: ReadonlyArray<ActivityEntry> }) =>
        followed.push(...entries)
      yield* apply(createSegment("Pro", { ...on(0), rule: isPro, announce: true }))
      yield* build(0)
      follow(yield* apply(plan(0, "ada", "pro"), plan(0, "bob", "pro"), plan(0, "cyd", "free")))
      follow(yield* apply(plan(1, "cyd", "pro")))
      follow(yield* apply(plan(1, "cyd", "free")))
      follow(yield* apply(plan(3, "cyd", "pro"), plan(3, "dan", "pro")))
      follow(yield* apply(merge(byId("ada"), byId("bob"), on(4))))
      follow(yield* apply(remove(byId("cyd"), on(5))))
      follow(yield* unmergeLast(6, "ada"))
      follow(yield* apply(suppress(byId("dan"), on(7))))
      const acme = objectOf("1", "acme")
      follow(yield* apply(event(byId("ada"), "bought", on(8)), relate(byId("ada"), [[acme]], on(8))))
      yield* sweepAll(on(9).receivedAt)
      const expected = folded(followed, 1, 9)
      yield* expectSame("by the log", expected, [2, 2, 2, 4, 3, 2, 3, 2, 2, 2])
      yield* expectSame("by the store", yield* days(1, 9), expected)
    }),
  },
  {
    name: "contract §12 sizes by day: the sizes of a segment by hand are those that its list of people had",
    check: Effect.gen(function* () {
      const sizes: Array<number> = []
      const note = Effect.gen(function* () {
        sizes.push(yield* members(1))
      })
      const names = ["ada", "bob", "cyd", "dan", "eve"]
      yield* apply(createSegment("a", on(0)), createSegment("b", on(0)))
      yield* apply(...names.map((name) => identify(byId(name), [], on(0))))
      yield* note
      yield* apply(join(1, 1, ...names), leaveSegment(1, [byId("eve")], on(1)))
      yield* note
      yield* note
      yield* apply(merge(byId("ada"), byId("bob"), on(3)), join(3, 2, "ada"))
      yield* note
      yield* unmergeLast(4, "ada")
      yield* note
      yield* apply(remove(byId("cyd"), on(5)), join(5, 1, "eve"), remove(byId("eve"), on(5)))
      yield* note
      yield* sweepAll(on(6).receivedAt)
      yield* note
      yield* expectSame("by the lists", sizes, [0, 4, 4, 3, 4, 3, 3])
      yield* expectSame("by the store", yield* days(1, 6), sizes)
      yield* expectSame("of the other", yield* days(2, 6), [0, 0, 0, 1, 1, 1, 1])
    }),
  },
  {
    name: "contract §12 sizes by day: the size of a segment is unknown before its rule is in force",
    check: Effect.gen(function* () {
      yield* apply(...["ada", "bob", "cyd"].map((name) => plan(0, name, "pro")), plan(0, "dan", "free"))
      yield* apply(createSegment("Pro", { ...on(1), rule: isPro }))
      yield* apply(plan(2, "dan", "pro"))
      yield* expectSame("while it is built", yield* kept(5), [])
      yield* build(3)
      const isFree = { attribute: { field: "plan", operator: "eq", value: "free" } }
      yield* apply(plan(4, "ada", "free"), updateSegment(5, { ...on(4), rule: isFree }))
      yield* apply(plan(5, "bob", "free"))
      yield* expectSame("while the next is built", yield* days(5, 5), [null, null, null, 4, 3, 2])
      yield* build(6)
      yield* apply(updateSegment(5, { ...on(7), paused: true }), plan(7, "cyd", "free"))
      yield* expectSame("by the store", yield* days(5, 8), [null, null, null, 4, 3, 2, 2, 2, 2])
      yield* expectSame("by its list", yield* members(5), 2)
    }),
  },
  {
    name: "contract §12 sizes by day: a page begins with the last size before it",
    check: Effect.gen(function* () {
      yield* apply(
        createSegment("a", on(0)),
        identify(byId("ada"), [], on(0)),
        identify(byId("bob"), [], on(0)),
      )
      yield* apply(join(2, 1, "ada"))
      yield* apply(join(5, 1, "bob"))
      yield* expectSame("from a day without a change", yield* kept(1, 4), [
        [2, 1],
        [5, 2],
      ])
      yield* expectSame("from a day with one", yield* kept(1, 5), [[5, 2]])
      yield* expectSame("from before the first", yield* kept(1, -3), [
        [0, 0],
        [2, 1],
        [5, 2],
      ])
      yield* expectSame("in another workspace", yield* kept(1, 0, second), [])
      const late = 5 + sizeDaysMax
      yield* sweepAll(on(late).receivedAt)
      yield* expectSame("once older ones are forgotten", yield* kept(1, late - sizeDaysMax), [[5, 2]])
    }),
  },
  {
    name: "contract §12 sizes by day: nothing is left of a deleted segment",
    check: Effect.gen(function* () {
      yield* apply(createSegment("a", on(0)), identify(byId("ada"), [], on(0)), join(0, 1, "ada"))
      yield* apply(deleteSegment(1, on(1)))
      yield* apply(remove(byId("ada"), on(1)))
      yield* sweepAll(on(2).receivedAt)
      yield* expectSame("its sizes", yield* kept(1), [])
    }),
  },
]
