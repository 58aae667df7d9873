import { Effect, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { isClaimed } from "@inlethq/core/decision/erasure"
import { isJsonObject } from "@inlethq/core/values/Json"
import {
  byEmail,
  byId,
  bySvcId,
  event,
  first,
  identify,
  merge,
  noon,
  register,
  remove,
  report,
  second,
  suppress,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, list, load, sweepAll } from "../script/scenario.ts"

const ada = identify(byId("ada"), [], { email: "Ada@Example.com" })

/** Returns the recipient of each report in the log, in order. Returns "erased" for an erased report. */
const recipients = Effect.fnUntraced(function* (workspace = first) {
  const reports = yield* activity({ kind: "delivery_metric" }, { workspace })
  return reports.map(({ data }) => {
    if (!isJsonObject(data)) return "erased"
    const { properties = null } = data
    return isJsonObject(properties) ? (properties["recipient"] ?? null) : null
  })
})

/** Sends a command with a deduplication key that was used before, and returns its outcome. */
const outcomeOfRetry = Effect.fnUntraced(function* (key: string) {
  const { entries } = yield* apply(event(byId("somebody else"), "retried", { deduplicationKey: key }))
  return entries[0]?.outcome
})

const deliveries = Effect.map(
  list((catalog, workspace, page) => catalog.deliveries(workspace.id, page)),
  (items) =>
    items.map(({ delivery }) => [delivery.deliveryId, delivery.recipient, delivery.subject] as const),
)

/** Runs a check three times: before housekeeping, after housekeeping, and after a second run of housekeeping. */
const wheneverSwept = <E, R>(check: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    yield* check
    yield* sweepAll(noon)
    yield* check
    yield* sweepAll(noon)
    yield* check
  })

/** The properties that every store must have in deciding which data a deletion erases. */
export const erasureLaws: ReadonlyArray<Law> = [
  {
    name: "contract §16: a report recorded after its recipient was deleted keeps its data and its deduplication key",
    check: Effect.gen(function* () {
      yield* apply(ada, register("d1", byId("ada"), { channel: "email" }))
      yield* apply(report("d1", "opened", { deduplicationKey: "before" }), remove(byId("ada")))
      yield* apply(report("d1", "clicked", { deduplicationKey: "after" }))
      yield* wheneverSwept(
        Effect.gen(function* () {
          const views = yield* activity({ kind: "delivery_metric", outcome: "applied" })
          yield* expectSame(
            "reports",
            views.map(({ claimsId, data, id }) => [data !== null, id, claimsId]),
            [
              [false, null, false],
              [true, "after", true],
            ],
          )
          const { entries } = yield* apply(report("d1", "clicked", { deduplicationKey: "after" }))
          yield* expectSame("the outcome of a retry", entries[0]?.outcome, "duplicate")
        }),
      )
      const found = Option.getOrNull(yield* (yield* Catalog).delivery(first.id, "d1"))
      yield* expectSame("clicks", found?.delivery.metrics.get("clicked")?.count, 1)
    }),
  },
  {
    name: "contract §16: registering a delivery again after its first recipient was deleted keeps the data of the new registration",
    check: Effect.gen(function* () {
      yield* apply(ada, identify(byId("bob")), register("d1", byId("ada")))
      yield* apply(remove(byId("ada")), register("d1", byId("bob"), { deduplicationKey: "again" }))
      yield* apply(report("d1", "opened", { recipient: "bob@example.com" }))
      const receipts = Effect.map(activity(), (views) =>
        views.flatMap(({ data, id, rule }) =>
          rule === "contract §11 known deliveries" ? [[data !== null, id]] : [],
        ),
      )
      yield* wheneverSwept(
        Effect.gen(function* () {
          yield* expectSame("registrations", yield* receipts, [
            [false, null],
            [true, "again"],
          ])
          yield* expectSame("recipients", yield* recipients(), ["bob@example.com"])
        }),
      )
    }),
  },
  {
    name: "contract §16: deleting any recipient of a delivery erases its earlier reports",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), identify(byId("bob")), identify(byId("cyd")))
      yield* apply(report("d1", "opened", { recipient: "ada" }), register("d1", byId("ada")))
      yield* apply(register("d1", byId("bob")), merge(byId("cyd"), byId("ada")))
      yield* wheneverSwept(expectSameEffect("registered", recipients(), ["ada"]))
      yield* apply(remove(byId("cyd")))
      yield* wheneverSwept(expectSameEffect("deleted", recipients(), ["erased"]))
    }),
  },
  {
    name: "contract §16: deleting a person erases reports about unregistered deliveries to their address, in any spelling",
    check: Effect.gen(function* () {
      const spellings = ["ada@example.com", " ADA@example.COM ", "Ada <ada@example.com>"]
      yield* apply(
        ...spellings.map((recipient, n) => report(`d${n}`, "opened", { recipient })),
        report("d0", "clicked", { recipient: "bob@example.com" }),
        report("d0", "clicked"),
        report("d0", "opened", { recipient: "ada@example.com", in: second }),
      )
      yield* apply(ada)
      const others = ["bob@example.com", null]
      yield* wheneverSwept(expectSameEffect("while she is there", recipients(), [...spellings, ...others]))
      yield* apply(remove(byId("ada")))
      yield* apply(report("d0", "converted", { recipient: "ada@example.com" }))
      const left = ["erased", "erased", "erased", ...others, "ada@example.com"]
      yield* wheneverSwept(expectSameEffect("once she is deleted", recipients(), left))
      yield* expectSame("of another workspace", yield* recipients(second), ["ada@example.com"])
    }),
  },
  {
    name: "contract §16: erasing an address again erases the reports that were recorded since the first time",
    check: Effect.gen(function* () {
      const expected: Array<string> = []
      for (const metric of ["opened", "clicked"] as const) {
        yield* apply(ada, report("d1", metric, { recipient: "ada@example.com" }))
        yield* apply(
          report("d2", metric, { recipient: "ada@example.com" }),
          remove(byEmail("ADA@example.com")),
        )
        expected.push("erased", "erased")
        yield* wheneverSwept(expectSameEffect(metric, recipients(), [...expected]))
      }
    }),
  },
  {
    name: "contract §16: suppressing an address erases reports to that address, even if no person has the address",
    check: Effect.gen(function* () {
      yield* apply(report("d1", "opened", { recipient: "ada@example.com" }))
      yield* apply(event(byEmail("bob@example.com"), "seen"))
      yield* apply(report("d2", "opened", { recipient: "bob@example.com" }))
      yield* apply(suppress(byEmail("Ada@example.com")), suppress(byEmail("bob@example.com")))
      yield* wheneverSwept(expectSameEffect("recipients", recipients(), ["erased", "erased"]))
    }),
  },
  {
    name: "contract §16: deleting a person erases their address in deliveries registered without a person",
    check: Effect.gen(function* () {
      const mail = { recipient: "ada@example.com", subject: "Dear Ada" }
      yield* apply(ada, register("d1", null, mail), register("d2", null, mail), report("d2", "opened"))
      yield* apply(remove(byId("ada")))
      yield* apply(register("d2", null, mail), report("d1", "opened"))
      yield* wheneverSwept(
        Effect.gen(function* () {
          yield* expectSame("deliveries", yield* deliveries, [
            ["d1", null, null],
            ["d2", "ada@example.com", "Dear Ada"],
          ])
          yield* expectSame("recipients", yield* recipients(), ["erased", null])
        }),
      )
    }),
  },
  {
    name: "contract §16: deleting a person keeps reports to an address that the person no longer has",
    check: Effect.gen(function* () {
      yield* apply(ada, report("d1", "opened", { recipient: "ada@example.com" }))
      yield* apply(identify(bySvcId(1), [], { email: "countess@example.com" }), remove(byId("ada")))
      yield* wheneverSwept(expectSameEffect("recipients", recipients(), ["ada@example.com"]))
    }),
  },
  {
    name: "contract §16: deleting a person frees the deduplication keys of their entries at once, and housekeeping does not free them again",
    check: Effect.gen(function* () {
      const keys = ["event", "attached", "report", "address"]
      yield* apply(
        ada,
        event(byId("ada"), "bought", { deduplicationKey: "event" }),
        identify(byId("other"), [], { deduplicationKey: "attached" }),
        report("d1", "opened", { deduplicationKey: "report" }),
        register("d1", byId("ada")),
        report("d2", "opened", { deduplicationKey: "address", recipient: "ada@example.com" }),
        merge(byId("ada"), byId("other")),
      )
      for (const key of keys) yield* expectSame(`${key} before`, yield* outcomeOfRetry(key), "duplicate")
      yield* apply(remove(byId("ada"), { deduplicationKey: "deletion" }))
      for (const key of keys) yield* expectSame(`${key} after`, yield* outcomeOfRetry(key), "pending")
      yield* wheneverSwept(
        Effect.gen(function* () {
          for (const key of [...keys, "deletion"]) {
            yield* expectSame(`${key} again`, yield* outcomeOfRetry(key), "duplicate")
          }
        }),
      )
    }),
  },
  {
    name: "contract §16: a deduplication key that is used, freed and used again in one batch belongs to the last operation",
    check: Effect.gen(function* () {
      const bought = event(byId("ada"), "bought", { deduplicationKey: "one" })
      yield* apply(ada, bought)
      const { entries } = yield* apply(remove(byId("ada")), bought, remove(byId("ada")), bought, bought)
      yield* expectSame(
        "outcomes",
        entries.map(({ outcome }) => outcome),
        ["applied", "pending", "applied", "pending", "duplicate"],
      )
      const text = "one"
      yield* wheneverSwept(
        Effect.gen(function* () {
          const loaded = yield* load({ deduplication: new Set([text]) })
          yield* expectSame("claimed", isClaimed(loaded, text), true)
          yield* expectSame(
            "events",
            (yield* activity({ outcome: "pending" })).map(({ claimsId }) => claimsId),
            [true],
          )
        }),
      )
    }),
  },
]

function expectSameEffect<A, E, R>(what: string, actual: Effect.Effect<A, E, R>, expected: A) {
  return Effect.flatMap(actual, (got) => expectSame(what, got, expected))
}
