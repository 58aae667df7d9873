import type { PlanFinding } from "@inlethq/core/log/PlanFinding"
import { Effect } from "effect"
import { byAnonymousId, byId, event, identify, noon, reject, remove } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, sweepAll } from "../script/scenario.ts"

const findingOf = (path: string): PlanFinding => ({
  name: `bought ${path} é'"\\`,
  version: 3,
  violations: [
    { path, clause: "type", got: "text(5)" },
    { path: `${path}.*`, clause: "required", got: "nothing" },
  ],
})

const ada = findingOf("ada")
const bob = findingOf("bob")
const unnamed: PlanFinding = {
  name: null,
  version: null,
  violations: [{ path: "", clause: "unknown_events", got: "object(1)" }],
}

const plans = Effect.map(activity(), (views) => views.map(({ plan }) => plan))

/** The properties that every store must have for the plans that operations do not fit. */
export const planLaws: ReadonlyArray<Law> = [
  {
    name: "contract §8 plans: entries keep which plan they do not fit, and deleting the person erases it",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada"), [], { plan: ada }),
        identify(byId("bob"), [], { plan: bob }),
        event(byId("ada"), "bought", { plan: ada }),
        event(byAnonymousId("cookie"), "bought", { plan: bob }),
        reject({ plan: unnamed }),
        event(byId("bob"), "bought"),
      )
      yield* expectSame("kept", yield* plans, [ada, bob, ada, bob, unnamed, undefined])
      yield* apply(remove(byId("ada")))
      const left = [undefined, bob, bob, unnamed, undefined, undefined]
      yield* expectSame("deleted", yield* plans, left)
      yield* sweepAll(noon + 1000)
      yield* expectSame("erased", yield* plans, left)
    }),
  },
  {
    name: "contract §8 plans: an entry about nobody who can be deleted keeps no plan that it does not fit, unless it was rejected",
    check: Effect.gen(function* () {
      yield* apply(
        identify(byId("ada")),
        event(byId("ada"), "bought", { deduplicationKey: "once" }),
        event(byId("ada"), "bought", { deduplicationKey: "once", plan: ada }),
        reject({ plan: ada }),
      )
      yield* expectSame("kept", yield* plans, [undefined, undefined, undefined, ada])
    }),
  },
]
