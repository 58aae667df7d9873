import { Effect } from "effect"
import { provenanceOf } from "@inlethq/core/log/ActivityEntry"
import type { Provenance } from "@inlethq/core/log/Provenance"
import {
  alias,
  byAnonymousId,
  byEmail,
  byId,
  deleteObject,
  event,
  first,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  register,
  reject,
  relate,
  remove,
  report,
  suppress,
  unsuppress,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, people, sweepAll } from "../script/scenario.ts"

/** What a browser tells, with values of every type. */
const browser = (who: string): Provenance => ({
  context: {
    library: { name: "js", version: "2.1", own: who },
    userAgent: `Browser/${"x".repeat(200)}`,
    userAgentData: { brands: [{ brand: "B", version: "1" }], mobile: false },
    screen: { width: 390, density: 2.5 },
    locale: `${"é".repeat(128)}${who}`,
    page: { url: `https://example.com/${who}`, search: `?who=${who}` },
    ip: "203.0.113.7",
    device: { id: `device of ${who}`, type: "ios", token: null },
    os: {},
    network: "wifi",
    "1": null,
    ["__proto__"]: "own",
  },
  integrations: { All: false },
  geo: { country: "DE", city: "Berlin" },
  bot: true,
  contextOmitted: ["own"],
  omitted: ["properties.card"],
})

const ada = browser("ada")
const bob = browser("bob")
const impersonal: Provenance = { bot: true, omitted: ["properties.card"] }
const nothing: Provenance = {}

const provenances = Effect.map(activity(), (views) => views.map(provenanceOf))

const acme = objectOf("1", "acme")
const gone = objectOf("1", "gone")

/** The properties that every store must have for where calls came from. */
export const provenanceLaws: ReadonlyArray<Law> = [
  {
    name: "contract §13 context: entries keep where their calls came from, and deleting the person erases it",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada"), [], { provenance: ada }),
        event(byId("ada"), "seen", { provenance: ada }),
        identify(byId("bob"), [], { provenance: bob }),
        event(byAnonymousId("cookie"), "seen", { provenance: bob }),
        event(byEmail("later@example.com"), "seen", { provenance: ada }),
        relate(byId("ada"), [[acme]], { provenance: ada }),
        event(byId("ada"), "seen"),
      )
      yield* expectSame("kept", yield* provenances, [ada, ada, bob, bob, ada, ada, nothing])
      yield* apply(remove(byId("ada"), { provenance: ada }))
      const left = [nothing, bob, bob, ada, nothing, impersonal]
      yield* expectSame("deleted", yield* provenances, left)
      yield* sweepAll(noon + 1000)
      yield* expectSame("erased", yield* provenances, left)
    }),
  },
  {
    name: "contract §13 context: an entry about nobody who can be deleted keeps nothing personal",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada")),
        suppress(byId("eve"), { provenance: ada }),
        identify(byId("eve"), [], { provenance: ada }),
        reject({ provenance: ada }),
        merge(byId("ada"), byId("nobody"), { provenance: ada }),
        event(null, "seen", { provenance: ada }),
        identifyObject(acme, [], [[byId("eve")]], { provenance: ada }),
        identifyObject(acme, [], [], { provenance: ada }),
        identifyObject(gone),
        deleteObject(gone, { provenance: ada }),
        deleteObject(gone, { provenance: ada }),
        unsuppress(byId("eve"), { provenance: ada }),
      )
      yield* expectSame("kept", (yield* provenances).slice(1), [
        impersonal,
        impersonal,
        impersonal,
        impersonal,
        ada,
        impersonal,
        ada,
        nothing,
        impersonal,
        impersonal,
        impersonal,
      ])
    }),
  },
  {
    name: "contract §13 context: where the call of a group came from is erased with its person, and not with others",
    check: Effect.gen(function* () {
      yield* apply(
        identifyObject(acme, [], [[byId("ada")]], { provenance: ada }),
        identifyObject(acme, [], [[byId("bob")]], { provenance: bob }),
      )
      yield* expectSame("kept", yield* provenances, [ada, bob])
      yield* apply(remove(byId("ada")))
      yield* expectSame("deleted", (yield* provenances).slice(0, 2), [nothing, bob])
      yield* sweepAll(noon + 1000)
      yield* expectSame("erased", (yield* provenances).slice(0, 2), [nothing, bob])
    }),
  },
  {
    name: "contract §13 context: where a merge came from is erased with either of the two",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada")),
        identify(byId("old")),
        alias(byId("ada"), "old", { provenance: ada }),
        event(byId("ada"), "seen", { provenance: ada }),
      )
      yield* expectSame("kept", (yield* provenances).slice(2), [ada, ada])
      yield* apply(remove(byId("ada")))
      yield* sweepAll(noon + 1000)
      yield* expectSame(
        "erased",
        new Set((yield* provenances).map((one) => one.context)),
        new Set([undefined]),
      )
    }),
  },
  {
    name: "contract §13 context: a report keeps what is its recipient's only where the recipient is known",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("ada")), register("known", byId("ada")))
      yield* apply(
        report("known", "opened", { provenance: ada }),
        report("unknown", "opened", { provenance: ada }),
      )
      const described = {
        library: { name: "js", version: "2.1" },
        userAgent: `Browser/${"x".repeat(200)}`,
        userAgentData: { brands: [{ brand: "B", version: "1" }], mobile: false },
        screen: { width: 390, density: 2.5 },
        device: { type: "ios" },
      }
      const shown = [ada, { ...impersonal, context: described }]
      yield* expectSame("kept", (yield* provenances).slice(2), shown)
    }),
  },
  {
    name: "contract §13 bots: a workspace that ignores bots keeps only that one called",
    check: Effect.gen(function* () {
      const ignoring = { ...first, bots: "ignore" as const }
      yield* apply(
        identify(byId("ada"), [], { in: ignoring, provenance: ada }),
        event(byId("ada"), "seen", { in: ignoring, provenance: ada, deduplicationKey: "k" }),
        event(byId("ada"), "seen", { in: ignoring, deduplicationKey: "k" }),
        identify(byId("bob"), [], { in: ignoring, provenance: { context: { page: { path: "/" } } } }),
        reject({ in: ignoring, provenance: ada }),
      )
      const shown = (yield* activity()).map((view) => [
        view.outcome,
        view.rule,
        view.name,
        provenanceOf(view),
      ])
      const bot = "contract §13 bots"
      yield* expectSame("shown", shown, [
        ["ignored", bot, null, impersonal],
        ["ignored", bot, "seen", impersonal],
        ["duplicate", "contract §8 deduplication", null, nothing],
        ["created", "track-api §2.1 rule 1", null, { context: { page: { path: "/" } } }],
        ["rejected", "contract §4 recorded refusals", null, impersonal],
      ])
      yield* expectSame(
        "people",
        (yield* people()).map(({ id }) => id),
        ["bob"],
      )
    }),
  },
]
