import { Effect } from "effect"
import { Catalog } from "@inlet/core/catalog/Catalog"
import { SubjectKey, type Identifier } from "@inlet/core/values/Identifier"
import {
  byEmail,
  byId,
  bySvcId,
  event,
  first,
  identify,
  noon,
  remove,
  second,
  suppress,
  unsuppress,
} from "./commands.ts"
import { expectSame, type Law } from "./Law.ts"
import { apply, load, people, personBy, sweepAll, textOf } from "./scenario.ts"

const adaId: Identifier = { kind: "id", value: "ada" }
const adaEmail: Identifier = { kind: "email", value: "ADA@example.com" }

const suppressed = Effect.fnUntraced(function* (workspace = first) {
  const directory = yield* Catalog
  return yield* Effect.forEach([adaId, adaEmail], (identifier) =>
    directory.isSuppressed(workspace.id, identifier),
  )
})

const ada = identify(byId("ada"), [["plan", "pro"]], { email: "Ada@example.com", anonymousId: "cookie" })

/** What a batch sees that names her by everything that she had. */
const seen = Effect.gen(function* () {
  const identifiers = new Set([
    textOf("id", "ada"),
    textOf("email", "ada@example.com"),
    textOf("anonymous_id", "cookie"),
  ])
  return yield* load({ identifiers, subjects: new Set([SubjectKey.make(1)]) })
})

/** What stores promise about suppression. */
export const suppressionLaws: ReadonlyArray<Law> = [
  {
    name: "contract §6: suppression outlives the profile, by each of its identifiers and by svc_id",
    check: Effect.gen(function* () {
      yield* apply(ada, event(byId("ada"), "bought"))
      yield* expectSame("before", yield* suppressed(), [false, false])
      yield* apply(suppress(byId("ada")))
      const expectSuppressed = Effect.gen(function* () {
        yield* expectSame("suppressed", yield* suppressed(), [true, true])
        yield* expectSame("elsewhere", yield* suppressed(second), [false, false])
        const { identifiers, subjects, suppressed: texts, suppressedGroups } = yield* seen
        yield* expectSame("identifiers", identifiers.size, 0)
        yield* expectSame(
          "people",
          [...subjects.values()].filter(({ _tag }) => _tag === "Person"),
          [],
        )
        yield* expectSame(
          "texts",
          [...texts.keys()],
          [textOf("id", "ada"), textOf("email", "ada@example.com")],
        )
        yield* expectSame("groups", suppressedGroups, new Map([[SubjectKey.make(1), first.id]]))
      })
      yield* expectSuppressed
      yield* sweepAll(noon + 1000)
      yield* expectSuppressed
      const { entries } = yield* apply(ada, event(byEmail("ada@EXAMPLE.com"), "bought"), remove(bySvcId(1)))
      yield* expectSame(
        "outcomes",
        entries.map(({ outcome }) => outcome),
        ["ignored", "ignored", "ignored"],
      )
      yield* expectSame("people", yield* people(), [])
    }),
  },
  {
    name: "track-api §3: unsuppressing releases all that was suppressed together, and nothing else",
    check: Effect.gen(function* () {
      yield* apply(ada, suppress(byId("ada")), suppress(byId("nobody")), suppress(byEmail("x@example.com")))
      yield* sweepAll(noon + 1000)
      yield* apply(unsuppress(byEmail("ada@example.com")))
      yield* expectSame("released", yield* suppressed(), [false, false])
      const directory = yield* Catalog
      const others: ReadonlyArray<Identifier> = [
        { kind: "id", value: "nobody" },
        { kind: "email", value: "x@example.com" },
      ]
      const rest = Effect.forEach(others, (one) => directory.isSuppressed(first.id, one))
      yield* expectSame("others", yield* rest, [true, true])
      const again = yield* apply(ada)
      yield* expectSame("again", again.entries[0]?.outcome, "created")
      yield* expectSame("as somebody new", (yield* personBy(adaId))?.key === SubjectKey.make(1), false)
      yield* apply(unsuppress(byId("nobody")), unsuppress(byEmail("x@example.com")))
      yield* expectSame("others since", yield* rest, [false, false])
      yield* expectSame("what a batch sees", (yield* seen).suppressedGroups.size, 0)
    }),
  },
  {
    name: "whoever is suppressed is no business of another workspace",
    check: Effect.gen(function* () {
      yield* apply(ada, suppress(byId("ada")), identify(byId("ada"), [], { in: second }))
      yield* expectSame("hers", yield* suppressed(), [true, true])
      yield* expectSame("theirs", (yield* personBy(adaId, second))?.id, "ada")
      const { entries } = yield* apply(unsuppress(bySvcId(1), { in: second }))
      yield* expectSame("by svc_id from there", entries[0]?.outcome, "dropped")
      yield* expectSame("still", yield* suppressed(), [true, true])
    }),
  },
  {
    name: "suppressing and releasing within a batch leaves what they leave one by one",
    check: Effect.gen(function* () {
      yield* apply(suppress(byId("ada")), unsuppress(byId("ada")))
      yield* expectSame("released", yield* suppressed(), [false, false])
      yield* apply(suppress(byId("ada")), unsuppress(byId("ada")), ada, suppress(byEmail("ada@example.com")))
      yield* expectSame("suppressed again", yield* suppressed(), [true, true])
      yield* apply(unsuppress(byId("ada")), suppress(byId("ada")))
      yield* expectSame("by one alone", yield* suppressed(), [true, false])
    }),
  },
]
