import { Effect, Option } from "effect"
import type { ActivityView } from "@inlethq/core/catalog/ActivityView"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import { identifierText, Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import { Store } from "@inlethq/core/ports/Store"
import { expectSame, type Law } from "../script/Law.ts"
import {
  byAnonymousId,
  byId,
  deleteDevice,
  deleteObject,
  event,
  first,
  identify,
  identifyObject,
  noon,
  objectOf,
  remove,
  unrelate,
} from "../script/commands.ts"
import { activity, apply, load, people, personBy, sweepAll } from "../script/scenario.ts"

const day = 24 * 60 * 60 * 1000

/** Sets `claimsId` to false. The value has no meaning after the deduplication key was freed, so it is not compared. */
const withoutClaim = (view: ActivityView) => ({ ...view, claimsId: false })

/** The properties that every store must have when data are deleted and housekeeping runs. */
export const sweepLaws: ReadonlyArray<Law> = [
  {
    name: "a deleted person is invisible to every reader at once, even before housekeeping erases the person",
    check: Effect.gen(function* () {
      yield* apply(
        event(byAnonymousId("cookie"), "seen"),
        identify(byId("ada"), [["plan", "pro"]], { email: "ada@example.com", anonymousId: "cookie" }),
        event(byId("ada"), "bought", { data: { price: 7 }, deduplicationKey: "one" }),
        identify(byId("ada"), [["plan", "free"]], { deduplicationKey: "two" }),
        identify(byId("bob")),
      )
      const ada = yield* personBy({ kind: "id", value: "ada" })
      yield* apply(remove(byId("ada")), event(byId("bob"), "bought"))
      const catalog = yield* Catalog
      const reads = Effect.gen(function* () {
        return {
          people: (yield* people()).map(({ id }) => id),
          views: (yield* activity()).map(withoutClaim),
          operations: yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7], (sequence) =>
            Effect.map(catalog.operation(first.id, Sequence.make(sequence)), Option.isSome),
          ),
          byKey: yield* catalog.person(first.id, SubjectKey.make(ada?.key ?? 1)),
          byEmail: yield* personBy({ kind: "email", value: "ada@example.com" }),
          byAnonymousId: yield* personBy({ kind: "anonymous_id", value: "cookie" }),
        }
      })
      const before = yield* reads
      yield* expectSame("people", before.people, ["bob"])
      yield* expectSame("operations", before.operations, [false, true, false, true, true, true, true])
      yield* expectSame(
        "the remaining entries of the deleted person",
        before.views
          .filter(({ subject }) => subject === ada?.key)
          .map(({ changes, data, id }) => ({ changes, data, id })),
        Array.from({ length: 3 }, () => ({ changes: [], data: null, id: null })),
      )
      yield* expectSame("by key", before.byKey, Option.none())
      yield* expectSame("by email", before.byEmail, null)
      yield* expectSame("by anonymous id", before.byAnonymousId, null)
      yield* sweepAll(noon + 1000)
      yield* expectSame("after erasing", yield* reads, before)
      const records = (yield* catalog.activity(first.id, noFilter, {
        limit: 100,
        after: null,
        order: "asc",
      })).items
      yield* expectSame(
        "kept data",
        records.filter(({ entry }) => entry.subject === ada?.key && entry.data !== null),
        [],
      )
      const keys = ["one", "two"]
      const loaded = yield* load({
        identifiers: new Set([
          identifierText("id", "ada"),
          identifierText("email", "ada@example.com"),
          identifierText("anonymous_id", "cookie"),
        ]),
        subjects: new Set([SubjectKey.make(1), SubjectKey.make(2)]),
        deduplication: new Set(keys),
      })
      yield* expectSame(
        "loaded",
        [loaded.identifiers.size, loaded.subjects.size, loaded.claimed.size],
        [0, 0, 0],
      )
    }),
  },
  {
    name: "identifying a deleted person again creates a new person",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada"), [["plan", "pro"]]), event(byId("ada"), "before"))
      yield* apply(remove(byId("ada")), identify(byId("ada")), event(byId("ada"), "after"))
      yield* sweepAll(noon)
      const ada = yield* personBy({ kind: "id", value: "ada" })
      yield* expectSame("key", ada?.key, SubjectKey.make(2))
      yield* expectSame("attributes", ada?.attributes.size, 0)
      yield* expectSame(
        "events",
        (yield* activity({ kind: "event" })).map(({ name }) => name),
        ["after"],
      )
    }),
  },
  {
    name: "housekeeping erases deleted data in steps until nothing is left",
    check: Effect.gen(function* () {
      const store = yield* Store
      const events = Array.from({ length: 2500 }, (_, i) => event(byId("ada"), `event ${i}`))
      yield* apply(identify(byId("ada")), ...events)
      yield* apply(remove(byId("ada")))
      yield* expectSame("events at once", (yield* activity({ kind: "event" })).length, 0)
      let entries = 0
      let swept = yield* store.sweep(noon)
      yield* expectSame("done after one step", swept.done, false)
      for (; !swept.done; swept = yield* store.sweep(noon)) {
        yield* expectSame("entries of a step are bounded", swept.entries > 0 && swept.entries <= 1000, true)
        entries += swept.entries
      }
      yield* expectSame("entries", entries + swept.entries, 2501)
      yield* expectSame("another step", yield* store.sweep(noon), { entries: 0, done: true })
      yield* expectSame(
        "kinds left",
        (yield* activity()).map(({ kind }) => kind),
        ["identify", "delete"],
      )
    }),
  },
  {
    name: "track-api §8 activity visibility: prunes entries after their retention, except events",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada"), [["plan", "pro"]], { receivedAt: noon - 31 * day, deduplicationKey: "old" }),
        event(byId("ada"), "old", { receivedAt: noon - 31 * day }),
        remove(byId("nobody"), { receivedAt: noon - 31 * day }),
        identify(byId("ada"), [["plan", "free"]], { receivedAt: noon - 29 * day, deduplicationKey: "new" }),
      )
      yield* sweepAll(noon)
      yield* expectSame(
        "the remaining entries",
        (yield* activity()).map(({ sequence }) => Number(sequence)),
        [2, 4],
      )
      yield* expectSame(
        "person",
        (yield* personBy({ kind: "id", value: "ada" }))?.attributes.get("plan")?.value,
        "free",
      )
      const keys = ["old", "new"]
      const loaded = yield* load({ deduplication: new Set(keys) })
      yield* expectSame("claimed", new Set(loaded.claimed.keys()), new Set(["new"]))
      yield* expectSame("next position", loaded.nextSequence, Sequence.make(5))
    }),
  },
  {
    name: "deletes expired anonymous visitors, and keeps events of an id that no person has yet",
    check: Effect.gen(function* () {
      const old = { receivedAt: noon - 31 * day }
      yield* apply(
        event(byAnonymousId("old"), "seen", old),
        identify(byAnonymousId("old"), [["colour", "red"]], old),
        event(byAnonymousId("back"), "seen", old),
        event(byId("waiting"), "waited", old),
        event(byAnonymousId("back"), "back", { receivedAt: noon - day }),
      )
      yield* sweepAll(noon)
      yield* expectSame(
        "the remaining entries",
        (yield* activity()).map(({ name }) => name),
        ["seen", "waited", "back"],
      )
      const identifiers = new Set([
        identifierText("anonymous_id", "old"),
        identifierText("anonymous_id", "back"),
        identifierText("id", "waiting"),
      ])
      yield* expectSame("identifiers", (yield* load({ identifiers })).identifiers.size, 2)
      yield* apply(
        identify(byId("ada"), [], { anonymousId: "old" }),
        identify(byId("bob"), [], { anonymousId: "back" }),
        identify(byId("waiting")),
      )
      yield* expectSame(
        "attributes of ada",
        (yield* personBy({ kind: "id", value: "ada" }))?.attributes.size,
        0,
      )
      yield* expectSame(
        "associated",
        (yield* activity({ outcome: "applied" })).map(({ name }) => name),
        ["waited", "back"],
      )
    }),
  },
  {
    name: "contract §16 deduplication window: deleting an object keeps the deduplication keys of its entries",
    check: Effect.gen(function* () {
      const acme = objectOf("1", "acme")
      const create = identifyObject(acme, [["plan", "pro"]], [], { deduplicationKey: "one" })
      const drop = deleteObject(acme, { deduplicationKey: "two" })
      yield* apply(create, drop)
      const retry = Effect.map(apply(create, drop), ({ entries }) => entries.map(({ outcome }) => outcome))
      const keys = Effect.map(activity({ outcome: "created" }), (views) =>
        views.map(({ claimsId, data, id }) => [claimsId, id, data !== null]),
      )
      yield* expectSame("before sweeping", yield* retry, ["duplicate", "duplicate"])
      yield* expectSame("its entry", yield* keys, [[true, "one", true]])
      yield* sweepAll(noon)
      yield* expectSame("after sweeping", yield* retry, ["duplicate", "duplicate"])
      yield* expectSame("its entry after sweeping", yield* keys, [[true, "one", true]])
    }),
  },
  {
    name: "contract §16 deduplication window: keeps the deduplication key of a visitor's call for 30 days",
    check: Effect.gen(function* () {
      const cookie = byAnonymousId("cookie")
      const later = noon + 20 * day
      yield* apply(event(cookie, "seen"))
      yield* apply(
        deleteDevice(cookie, "none", { receivedAt: later, deduplicationKey: "device" }),
        unrelate(cookie, [[objectOf("1", "none")]], { receivedAt: later, deduplicationKey: "relationship" }),
      )
      const claimedAt = Effect.fnUntraced(function* (now: number) {
        yield* sweepAll(now)
        const texts = ["device", "relationship"]
        return [...(yield* load({ deduplication: new Set(texts) })).claimed.keys()].length
      })
      yield* expectSame("30 days after the visitor did anything", yield* claimedAt(noon + 31 * day), 2)
      yield* expectSame("30 days after the calls", yield* claimedAt(later + 31 * day), 0)
    }),
  },
]
