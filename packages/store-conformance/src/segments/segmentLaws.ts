import { Effect, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { byEmail, byId, first, identify, merge, noon, remove, second, suppress } from "../script/commands.ts"
import { createSegment, deleteSegment, joinSegment, leaveSegment } from "../script/segmentCommands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, list, people, recordBy, sweepAll, type Listing } from "../script/scenario.ts"

const members = (segment: number, listing: Listing = {}) =>
  list((catalog, workspace, page) => catalog.members(workspace.id, SubjectKey.make(segment), page), listing)

/** Returns the ids of the people in a segment, which both ways to list them must agree on. */
const namesIn = Effect.fnUntraced(function* (segment: number, listing: Listing = {}) {
  const found = (yield* members(segment, listing)).map(({ person }) => person)
  const names = yield* list(
    (catalog, workspace, page) => catalog.memberNames(workspace.id, SubjectKey.make(segment), page),
    listing,
  )
  const shown = found.map(({ email, id, key, workspace }) => ({ key, workspace, id, email }))
  yield* expectSame("the names of members", names, shown)
  return found.map(({ id }) => id)
})

const sizeOf = Effect.fnUntraced(function* (segment: number, workspace = first) {
  const found = yield* (yield* Catalog).segment(workspace.id, SubjectKey.make(segment))
  return Option.getOrNull(found)?.size ?? null
})

const segmentsOf = Effect.fnUntraced(function* (id: string) {
  return (yield* recordBy({ kind: "id", value: id }))?.segments.map(Number)
})

/** The properties that every store must have in the handling of manual segments. */
export const segmentLaws: ReadonlyArray<Law> = [
  {
    name: "lists the segments of one workspace in pages and in both orders",
    check: Effect.gen(function* () {
      const names = ["a", "b", "c", "d", "e"]
      yield* apply(
        createSegment("elsewhere", { in: second }),
        ...names.map((name, i) => createSegment(name, i === 0 ? { description: "the first" } : {})),
      )
      yield* apply(identify(byId("ada")), joinSegment(2, [byId("ada")]))
      for (const limit of [1, 2, 5, 100]) {
        const up = yield* list((catalog, workspace, page) => catalog.segments(workspace.id, page), {
          limit,
        })
        yield* expectSame(
          "names and sizes",
          up.map(({ segment, size }) => [segment.name, size]),
          names.map((name) => [name, name === "b" ? 1 : 0]),
        )
        yield* expectSame("description", up[0]?.segment.description, "the first")
        const down = yield* list((catalog, workspace, page) => catalog.segments(workspace.id, page), {
          limit,
          order: "desc",
        })
        yield* expectSame("backwards", down, up.toReversed())
      }
      yield* expectSame("in its workspace", [yield* sizeOf(2), yield* sizeOf(1, second)], [1, 0])
      yield* expectSame("in another workspace", yield* sizeOf(2, second), null)
      yield* expectSame("of another kind of subject", yield* sizeOf(6), null)
    }),
  },
  {
    name: "lists the people in a segment in pages and in both orders",
    check: Effect.gen(function* () {
      const names = ["ada", "bob", "cyd", "dan", "eve", "fay", "gil"]
      const inIt = names.filter((name) => name !== "cyd")
      yield* apply(createSegment("a"), createSegment("b"), ...names.map((name) => identify(byId(name))))
      yield* apply(joinSegment(1, inIt.toReversed().map(byId)), joinSegment(2, [byId("cyd")]))
      for (const limit of [1, 2, 6, 100]) {
        yield* expectSame("first seen first", yield* namesIn(1, { limit }), inIt)
        yield* expectSame("last seen first", yield* namesIn(1, { limit, order: "desc" }), inIt.toReversed())
      }
      const everybody = yield* list((catalog, workspace, page) => catalog.people(workspace.id, null, page))
      yield* expectSame(
        "records",
        yield* members(1, { limit: 100 }),
        everybody.filter(({ person }) => person.id !== "cyd"),
      )
      yield* expectSame("in another workspace", yield* namesIn(1, { workspace: second }), [])
      yield* expectSame("people of an unknown segment", yield* namesIn(99), [])
    }),
  },
  {
    name: "the size of a segment is the exact number of its people after every kind of change",
    check: Effect.gen(function* () {
      const names = ["ada", "bob", "cyd", "dan", "eve", "fay"]
      yield* apply(createSegment("a"), createSegment("b"), ...names.map((name) => identify(byId(name))))
      const expectSizes = Effect.fnUntraced(function* (what: string, ...sizes: ReadonlyArray<number>) {
        const told = [yield* sizeOf(1), yield* sizeOf(2)]
        yield* expectSame(what, told, [...sizes])
        const counted = [(yield* namesIn(1)).length, (yield* namesIn(2)).length]
        yield* expectSame(`${what}, counted`, counted, [...sizes])
      })
      yield* apply(
        joinSegment(1, names.map(byId)),
        joinSegment(2, [byId("ada"), byId("bob")]),
        joinSegment(2, [byId("ada")]),
      )
      yield* expectSizes("joined", 6, 2)
      yield* apply(
        joinSegment(1, names.map(byId)),
        leaveSegment(1, [byId("ada"), byId("ada"), byId("nobody")]),
      )
      yield* expectSizes("left", 5, 2)
      yield* apply(
        joinSegment(1, [byId("ada")]),
        leaveSegment(1, [byId("ada")]),
        joinSegment(1, [byId("ada")]),
      )
      yield* expectSizes("came and went", 6, 2)
      yield* apply(remove(byId("ada")))
      yield* expectSizes("deleted", 5, 1)
      yield* apply(merge(byId("cyd"), byId("bob")))
      yield* expectSizes("merged", 4, 1)
      yield* apply(suppress(byId("dan")), joinSegment(1, [byId("dan"), byEmail("nobody@example.com")]))
      yield* expectSizes("suppressed", 3, 1)
      yield* apply(identify(byId("new")), joinSegment(2, [byId("new")]), remove(byId("new")))
      yield* expectSizes("made and deleted", 3, 1)
      yield* sweepAll(noon + 1000)
      yield* expectSizes("after erasing", 3, 1)
    }),
  },
  {
    name: "a deleted segment and its memberships are invisible at once, even before housekeeping erases them",
    check: Effect.gen(function* () {
      const crowd = Array.from({ length: 500 }, (_, i) => byId(`somebody ${i}`))
      yield* apply(createSegment("a"), createSegment("b"), identify(byId("ada")))
      yield* apply(...crowd.map((person) => identify(person)), joinSegment(1, crowd))
      yield* apply(joinSegment(1, [byId("ada")]), joinSegment(2, [byId("ada")]))
      yield* apply(deleteSegment(1))
      const reads = Effect.gen(function* () {
        return {
          size: yield* sizeOf(1),
          members: yield* namesIn(1),
          segments: yield* list((catalog, workspace, page) => catalog.segments(workspace.id, page)),
          ofAda: yield* segmentsOf("ada"),
        }
      })
      const before = yield* reads
      yield* expectSame("size", before.size, null)
      yield* expectSame("members", before.members, [])
      yield* expectSame(
        "segments",
        before.segments.map(({ segment }) => segment.name),
        ["b"],
      )
      yield* expectSame("segments of ada", before.ofAda, [2])
      yield* sweepAll(noon + 1000)
      yield* expectSame("after erasing", yield* reads, before)
      const naming = (yield* people(null, { limit: 1000 })).filter(({ segments }) => segments.length > 0)
      yield* expectSame(
        "people that still refer to a segment",
        naming.map(({ id }) => id),
        ["ada"],
      )
      const { entries } = yield* apply(joinSegment(1, [byId("ada")]))
      yield* expectSame("the outcome of joining it", entries[0]?.outcome, "rejected")
    }),
  },
]
