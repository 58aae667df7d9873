import { Arbitrary, Effect, type Layer } from "effect"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { SubjectKey } from "@inlethq/core/values/Identifier"
import { first } from "../script/commands.ts"
import { inNew, type Compared, type Comparison, type Services } from "../differential/differential.ts"
import { expectSame } from "../script/Law.ts"
import { list, load } from "../script/scenario.ts"
import { playRules } from "./compareRules.ts"
import { Follower } from "./Follower.ts"
import { inForce } from "./inForce.ts"
import { naiveMembers } from "./naiveMembers.ts"
import { RuleScript } from "./RuleScript.ts"

/** The largest number of log entries of a script. */
const limit = 1000

/** Returns the entries of the log with everything that operators no longer see. */
export const wholeLog = Effect.gen(function* () {
  const catalog = yield* Catalog
  const page = yield* catalog.activity(first.id, noFilter, { limit, after: null, order: "asc" })
  return page.items.map(({ entry }) => entry)
})

const everybody = Effect.gen(function* () {
  const { nextKey } = yield* load({})
  const keys = Array.from({ length: nextKey - 1 }, (_, i) => SubjectKey.make(i + 1))
  return yield* load({ subjects: new Set(keys) })
})

/** Fails unless exactly the people are in each active segment for whom its rule holds over the whole log. */
export const checkMembers = Effect.gen(function* () {
  const { latestReceipt, rules, subjects } = yield* everybody
  const entries = yield* wholeLog
  const world = { subjects, entries, ...inForce(rules), now: latestReceipt ?? 0 }
  for (const [segment, people] of naiveMembers(world)) {
    const members = yield* list(
      (reads, workspace, request) => reads.members(workspace.id, segment, request),
      { limit },
    )
    const found = members.map(({ person }) => person.key)
    yield* expectSame(`segment ${segment} after entry ${entries.length}`, found, people)
  }
})

/** Returns a check that fails unless the entries of each commit tell a follower who is in which segment. */
const checkFollower = () => {
  const follower = new Follower()
  return (entries: ReadonlyArray<ActivityEntry>) =>
    Effect.gen(function* () {
      yield* expectSame("what entries tell", follower.follow(entries), null)
      yield* expectSame("what is known", follower.compare(yield* everybody), null)
    })
}

/** The naive evaluator reads the whole log, so nothing may be erased from it. */
const withoutErasing = (script: RuleScript): RuleScript => ({
  ...script,
  steps: script.steps.map((step) => ({ ...step, housekeeping: "none" })),
})

/** Announces every rule of a script. */
export const announcing = (script: RuleScript): RuleScript => ({
  ...script,
  steps: script.steps.map((step) => ({ ...step, isAnnounced: true })),
})

/**
 * Checks after each commit of random scripts that exactly the people are in each segment for whom its rule holds, and that
 * entries tell so. `change` changes each script.
 */
export const checkMembership = <E>(
  store: Layer.Layer<Services, E>,
  { replay, runs, seed }: Comparison,
  change: (script: RuleScript) => RuleScript = (script) => script,
): Effect.Effect<Pick<Compared, "failure">> =>
  Arbitrary.checkEffect(
    Arbitrary.schema(RuleScript),
    (script) => {
      const checks = { committed: checkFollower(), settled: checkMembers }
      return playRules(change(withoutErasing(script)), "one", checks).pipe(inNew(store), Effect.as(true))
    },
    { runs, seed, replay, size: 60, maxShrinks: 500 },
  ).pipe(Effect.map((result) => ({ failure: Arbitrary.formatCheckFailure(result) ?? null })))
