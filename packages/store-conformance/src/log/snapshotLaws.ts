import { noFilter } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { Effect, Option } from "effect"
import {
  byId,
  event,
  first,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  register,
  remove,
  report,
  second,
  suppress,
} from "../script/commands.ts"
import { createSegment, joinSegment } from "../script/segmentCommands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, people, sweepAll } from "../script/scenario.ts"

const all = { limit: 100, after: null, order: "asc" } as const

/** Returns the data that a snapshot of the first workspace shows. */
const shownBy = Effect.fnUntraced(function* (
  snapshot: Effect.Success<ReturnType<Snapshots["Service"]["open"]>>,
) {
  const { id } = first
  const listed = yield* snapshot.people(id, null, all)
  const { items: entries } = yield* snapshot.activity(id, noFilter, all)
  const segment = (yield* snapshot.segments(id, all)).items[0]
  return {
    people: listed.items.map(({ person }) => [person.id, person.attributes.get("plan")?.value]),
    entries: entries.map(({ entry, isErased, owner }) => [entry.sequence, isErased, owner?.id]),
    objects: (yield* snapshot.objects(id, null, all)).items.map(({ peopleTotal }) => peopleTotal),
    segment: segment?.size,
    members:
      segment === undefined
        ? []
        : (yield* snapshot.members(id, segment.segment.key, all)).items.map(({ person }) => person.id),
    deliveries: (yield* snapshot.deliveries(id, all)).items.map(
      ({ delivery, person }) => [delivery.metrics.size, person?.id] as const,
    ),
    isSuppressed: yield* snapshot.isSuppressed(id, { kind: "id", value: "bob" }),
  }
})

/**
 * The properties that every store's snapshots must have: the data that a snapshot shows never change while it is open.
 */
export const snapshotLaws: ReadonlyArray<Law> = [
  {
    name: "an open snapshot shows none of the commits and none of the housekeeping that follow",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada"), [["plan", "free"]]),
        identify(byId("bob")),
        createSegment("testers"),
        joinSegment(3, [byId("ada"), byId("bob")]),
        identifyObject(objectOf("1", "acme"), [], [[byId("ada")], [byId("bob")]]),
        register("mail", byId("bob"), { recipient: "bob@example.com" }),
        event(byId("bob"), "bought"),
      )
      const snapshots = yield* Snapshots
      yield* Effect.scoped(
        Effect.gen(function* () {
          const snapshot = yield* snapshots.open(first.id)
          const before = yield* shownBy(snapshot)
          yield* apply(identify(byId("ada"), [["plan", "pro"]]), event(byId("ada"), "paid"))
          yield* apply(identify(byId("cyd")), merge(byId("cyd"), byId("ada")), report("mail", "opened"))
          yield* apply(suppress(byId("bob")))
          yield* sweepAll(noon + 1000)
          yield* expectSame("what the snapshot shows", yield* shownBy(snapshot), before)
        }),
      )
      const after = yield* Effect.scoped(Effect.flatMap(snapshots.open(first.id), shownBy))
      yield* expectSame("people of a new snapshot", after.people, [["cyd", "pro"]])
      yield* expectSame("suppression in a new snapshot", after.isSuppressed, true)
    }),
  },
  {
    name: "a snapshot of a workspace without data is empty",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const snapshot = yield* (yield* Snapshots).open(second.id)
          yield* expectSame("people", (yield* snapshot.people(second.id, null, all)).items, [])
          yield* expectSame("an operation", Option.isNone(yield* snapshot.form(second.id, "form")), true)
        }),
      )
    }),
  },
  {
    name: "commits succeed while two snapshots are open",
    check: Effect.gen(function* () {
      const { open } = yield* Snapshots
      yield* Effect.scoped(
        Effect.gen(function* () {
          const one = yield* open(first.id)
          yield* apply(identify(byId("ada")))
          const other = yield* open(first.id)
          yield* apply(remove(byId("ada")))
          yield* expectSame("people now", yield* people(), [])
          yield* expectSame("people in the older one", (yield* one.people(first.id, null, all)).items, [])
          const { items } = yield* other.people(first.id, null, all)
          yield* expectSame(
            "people in the newer one",
            items.map(({ person }) => person.id),
            ["ada"],
          )
        }),
      )
    }),
  },
]
