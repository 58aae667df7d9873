import { Effect } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { identifierText, SubjectKey, type Identifier } from "@inlethq/core/values/Identifier"
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
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, load, people, personBy, sweepAll } from "../script/scenario.ts"

const adaId: Identifier = { kind: "id", value: "ada" }
const adaEmail: Identifier = { kind: "email", value: "ADA@example.com" }

const suppressed = Effect.fnUntraced(function* (workspace = first) {
  const catalog = yield* Catalog
  return yield* Effect.forEach([adaId, adaEmail], (identifier) =>
    catalog.isSuppressed(workspace.id, identifier),
  )
})

const ada = identify(byId("ada"), [["plan", "pro"]], { email: "Ada@example.com", anonymousId: "cookie" })

/** Looks up every identifier of the suppressed person in the store, and returns the working set with the results. */
const seen = Effect.gen(function* () {
  const identifiers = new Set([
    identifierText("id", "ada"),
    identifierText("email", "ada@example.com"),
    identifierText("anonymous_id", "cookie"),
  ])
  return yield* load({ identifiers, subjects: new Set([SubjectKey.make(1)]) })
})

/** The properties that every store must have in the handling of suppressed identifiers. */
export const suppressionLaws: ReadonlyArray<Law> = [
  {
    name: "contract §6: a suppression outlives the profile and applies to each identifier and to the svc_id",
    check: Effect.gen(function* () {
      yield* apply(ada, event(byId("ada"), "bought"))
      yield* expectSame("before the suppression", yield* suppressed(), [false, false])
      yield* apply(suppress(byId("ada")))
      const expectSuppressed = Effect.gen(function* () {
        yield* expectSame("suppressed", yield* suppressed(), [true, true])
        yield* expectSame("in another workspace", yield* suppressed(second), [false, false])
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
          [identifierText("id", "ada"), identifierText("email", "ada@example.com")],
        )
        yield* expectSame("groups", suppressedGroups, new Set([SubjectKey.make(1)]))
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
    name: "track-api §3: unsuppressing releases all identifiers that were suppressed together, and no other identifiers",
    check: Effect.gen(function* () {
      yield* apply(ada, suppress(byId("ada")), suppress(byId("nobody")), suppress(byEmail("x@example.com")))
      yield* sweepAll(noon + 1000)
      yield* apply(unsuppress(byEmail("ada@example.com")))
      yield* expectSame("released", yield* suppressed(), [false, false])
      const catalog = yield* Catalog
      const others: ReadonlyArray<Identifier> = [
        { kind: "id", value: "nobody" },
        { kind: "email", value: "x@example.com" },
      ]
      const rest = Effect.forEach(others, (one) => catalog.isSuppressed(first.id, one))
      yield* expectSame("identifiers of the other group", yield* rest, [true, true])
      const again = yield* apply(ada)
      yield* expectSame("the outcome of identifying the person again", again.entries[0]?.outcome, "created")
      yield* expectSame(
        "the new person has the old key",
        (yield* personBy(adaId))?.key === SubjectKey.make(1),
        false,
      )
      yield* apply(unsuppress(byId("nobody")), unsuppress(byEmail("x@example.com")))
      yield* expectSame("the other group after its release", yield* rest, [false, false])
      yield* expectSame("suppression groups in a working set", (yield* seen).suppressedGroups.size, 0)
    }),
  },
  {
    name: "a suppression applies to its workspace only",
    check: Effect.gen(function* () {
      yield* apply(ada, suppress(byId("ada")), identify(byId("ada"), [], { in: second }))
      yield* expectSame("ada's identifiers", yield* suppressed(), [true, true])
      yield* expectSame("the person in the other workspace", (yield* personBy(adaId, second))?.id, "ada")
      const { entries } = yield* apply(unsuppress(bySvcId(1), { in: second }))
      yield* expectSame("the outcome of unsuppressing by svc_id from there", entries[0]?.outcome, "dropped")
      yield* expectSame("ada's identifiers after that", yield* suppressed(), [true, true])
    }),
  },
  {
    name: "suppressing and releasing in one batch has the same result as in several batches",
    check: Effect.gen(function* () {
      yield* apply(suppress(byId("ada")), unsuppress(byId("ada")))
      yield* expectSame("released", yield* suppressed(), [false, false])
      yield* apply(suppress(byId("ada")), unsuppress(byId("ada")), ada, suppress(byEmail("ada@example.com")))
      yield* expectSame("suppressed again", yield* suppressed(), [true, true])
      yield* apply(unsuppress(byId("ada")), suppress(byId("ada")))
      yield* expectSame("after suppressing only one identifier", yield* suppressed(), [true, false])
    }),
  },
]
