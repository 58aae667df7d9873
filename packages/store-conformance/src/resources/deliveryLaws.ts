import { Effect, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { deliveryText, SubjectKey } from "@inlethq/core/values/Identifier"
import { Registry } from "@inlethq/core/ports/Registry"
import {
  byId,
  first,
  identify,
  merge,
  noon,
  register,
  remove,
  report,
  second,
  unsubscribe,
  workspaceOf,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, list, load, personBy, sweepAll, type Listing } from "../script/scenario.ts"

const hour = 60 * 60 * 1000

const deliveryBy = Effect.fnUntraced(function* (deliveryId: string, workspace = first) {
  return Option.getOrNull(yield* (yield* Catalog).delivery(workspace.id, deliveryId))
})

const deliveries = (listing: Listing = {}) =>
  list((catalog, workspace, page) => catalog.deliveries(workspace.id, page), listing)

const toAda = register("d1", byId("ada"), { recipient: "ada@example.com", subject: "Dear Ada" })

/** The properties that every store must have in the handling of deliveries. */
export const deliveryLaws: ReadonlyArray<Law> = [
  {
    name: "contract §11: a delivery exists after its first report and stores the first time of each metric",
    check: Effect.gen(function* () {
      yield* expectSame("before the first report", yield* deliveryBy("d1"), null)
      yield* apply(report("d1", "opened", { receivedAt: noon + hour, at: noon }), report("\0 d2", "dropped"))
      yield* apply(
        report("d1", "opened", { receivedAt: noon + hour, at: noon - hour }),
        report("d1", "clicked", { at: noon }),
      )
      const found = yield* deliveryBy("d1")
      yield* expectSame(
        "metrics",
        [...(found?.delivery.metrics ?? [])],
        [
          ["opened", { firstAt: noon - hour, count: 2 }],
          ["clicked", { firstAt: noon, count: 1 }],
        ],
      )
      yield* expectSame("person", found?.person, null)
      yield* expectSame("in another workspace", yield* deliveryBy("d1", second), null)
      yield* apply(identify(byId("ada")))
      yield* apply(
        register("d1", byId("ada"), {
          channel: "sms",
          sources: [
            ["campaign_id", 7],
            ["trigger_event_id", "x"],
          ],
        }),
      )
      const registered = yield* deliveryBy("d1")
      yield* expectSame("key", registered?.delivery.key, found?.delivery.key)
      yield* expectSame(
        "metrics after the registration",
        registered?.delivery.metrics,
        found?.delivery.metrics,
      )
      yield* expectSame(
        "sources",
        [...(registered?.delivery.sources ?? [])],
        [
          ["campaign_id", 7],
          ["trigger_event_id", "x"],
        ],
      )
      yield* expectSame("person after the registration", registered?.person?.id, "ada")
    }),
  },
  {
    name: "lists the deliveries of one workspace in pages and in both orders",
    check: Effect.gen(function* () {
      const ids = ["d1", "d2", "d3", "d4", "d5"]
      yield* apply(
        identify(byId("ada")),
        ...ids.map((id) => report(id, "opened")),
        report("elsewhere", "opened", { in: second }),
        toAda,
      )
      for (const limit of [1, 2, 5, 100]) {
        const up = yield* deliveries({ limit })
        yield* expectSame(
          "first seen first",
          up.map(({ delivery }) => delivery.deliveryId),
          ids,
        )
        yield* expectSame(
          "the recipients",
          up.map(({ person }) => person?.id),
          ["ada", ...Array.from({ length: 4 }, () => undefined)],
        )
        yield* expectSame("backwards", yield* deliveries({ limit, order: "desc" }), up.toReversed())
      }
    }),
  },
  {
    name: "lists the deliveries of one recipient in pages and in both orders",
    check: Effect.gen(function* () {
      const [ada, bob] = (yield* apply(identify(byId("ada")), identify(byId("bob")))).entries
      yield* apply(
        ...["d1", "d2", "d3"].map((id) => register(id, byId("ada"))),
        register("d4", byId("bob")),
        register("d5", null),
      )
      const to = (entry: typeof ada, listing: Listing) =>
        Effect.map(
          list(
            (catalog, workspace, page) =>
              catalog.deliveriesTo(workspace.id, SubjectKey.make(entry?.subject ?? 0), page),
            listing,
          ),
          (found) => found.map(({ delivery, person }) => [delivery.deliveryId, person?.id]),
        )
      const ofAda = ["d1", "d2", "d3"].map((id) => [id, "ada"])
      for (const limit of [1, 2, 5]) {
        yield* expectSame("first seen first", yield* to(ada, { limit }), ofAda)
        yield* expectSame("backwards", yield* to(ada, { limit, order: "desc" }), ofAda.toReversed())
      }
      yield* apply(merge(byId("ada"), byId("bob")))
      yield* expectSame("of who was merged", yield* to(bob, {}), [["d4", "ada"]])
      yield* expectSame("in another workspace", yield* to(ada, { workspace: second }), [])
    }),
  },
  {
    name: "if the recipient of a delivery is merged into another person, the delivery belongs to that person for readers and for later commands",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), identify(byId("bob")), toAda)
      yield* apply(merge(byId("bob"), byId("ada")))
      yield* expectSame("person", (yield* deliveryBy("d1"))?.person?.id, "bob")
      yield* expectSame("recipient", (yield* deliveryBy("d1"))?.delivery.recipient, "ada@example.com")
      const { subjects } = yield* load({ identifiers: new Set([deliveryText("d1")]) })
      yield* expectSame(
        "the loaded subjects",
        [...subjects.values()].map(({ _tag }) => _tag),
        ["Delivery", "Attached", "Person"],
      )
      const { entries } = yield* apply(unsubscribe("d1"))
      yield* expectSame("unsubscribed", entries[0]?.outcome, "applied")
      const bob = yield* personBy({ kind: "id", value: "bob" })
      yield* expectSame("attribute", bob?.attributes.get("unsubscribed")?.value, true)
    }),
  },
  {
    name: "contract §6: a delivery shows nothing about a deleted recipient, before and after erasing",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada"), [], { email: "ada@example.com" }),
        identify(byId("bob")),
        identify(byId("cyd")),
        toAda,
        register("d2", byId("bob"), { recipient: "bob@example.com" }),
        register("d3", byId("cyd"), { recipient: "cyd@example.com" }),
        register("d4", null, { recipient: "nobody's" }),
        report("d1", "opened", { recipient: "ada@example.com", deviceToken: "phone" }),
      )
      yield* apply(merge(byId("bob"), byId("ada")))
      yield* apply(remove(byId("bob")))
      const expectGone = Effect.gen(function* () {
        const found = yield* deliveries()
        yield* expectSame(
          "the shown recipients",
          found.map(({ delivery, person }) => [delivery.recipient, delivery.subject, person?.id ?? null]),
          [
            [null, null, null],
            [null, null, null],
            ["cyd@example.com", null, "cyd"],
            ["nobody's", null, null],
          ],
        )
        yield* expectSame("metrics", found[0]?.delivery.metrics.size, 1)
        const reported = yield* activity({ kind: "delivery_metric" })
        yield* expectSame(
          "the data of the reports",
          reported.map(({ data, name }) => [name, data]),
          [["Email Opened", null]],
        )
        const { entries } = yield* apply(report("d1", "clicked"))
        yield* expectSame("the outcome of the next report", entries[0]?.outcome, "applied")
      })
      yield* expectGone
      yield* sweepAll(noon + 1000)
      const { entries } = yield* apply(unsubscribe("d1"))
      yield* expectSame("the outcome of an unsubscribe", entries[0]?.outcome, "dropped")
      const found = yield* deliveries()
      yield* expectSame("after erasing", found[0]?.delivery.recipient, null)
    }),
  },
  {
    name: "finds all workspaces that have a delivery with a given id",
    check: Effect.gen(function* () {
      const registry = yield* Registry
      const { id: _, ...settings } = workspaceOf(1)
      for (const name of ["one", "two", "three"]) yield* registry.createWorkspace({ ...settings, name })
      yield* apply(report("d1", "opened", { in: second }), report("d1", "opened"), report("d2", "opened"))
      const { workspacesOfDelivery } = yield* Catalog
      yield* expectSame("d1", yield* workspacesOfDelivery("d1"), [first.id, second.id])
      yield* expectSame("d2", yield* workspacesOfDelivery("d2"), [first.id])
      yield* expectSame("d3", yield* workspacesOfDelivery("d3"), [])
    }),
  },
]
