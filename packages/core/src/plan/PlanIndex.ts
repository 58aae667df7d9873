import { Option, Result, Schema } from "effect"
import { decodePlanSchema } from "./decodePlanSchema.ts"
import { planKey } from "./decodePlans.ts"
import { noPlans, Plans, type Plan, type PlanText } from "./Plan.ts"
import type { PlanNode } from "./PlanNode.ts"

/** A plan that is ready to be applied. */
export interface CompiledPlan {
  readonly plan: Plan
  readonly node: PlanNode
}

/** The plans of a workspace by kind and name. Each is compiled when it is first asked for. */
export interface PlanIndex {
  readonly find: (kind: string, name: string) => CompiledPlan | undefined
}

const readPlans = Schema.decodeUnknownOption(Schema.fromJsonString(Plans))

/** Returns the plans in the settings of a workspace. A text that nobody can read has none. */
export const plansIn = (stored: PlanText | null): Plans =>
  stored === null ? noPlans : Option.getOrElse(readPlans(stored.text), () => noPlans)

const indexes = new WeakMap<PlanText, PlanIndex>()

/** The indexes of the texts that were read last, because every look-up of a key reads the settings anew. */
const known = new Map<string, PlanIndex>()
const knownMax = 8

/** Returns the index of the plans of a workspace. */
export const planIndex = (stored: PlanText): PlanIndex => {
  const found = indexes.get(stored)
  if (found !== undefined) return found
  const index = known.get(stored.text) ?? makeIndex(stored)
  known.delete(stored.text)
  known.set(stored.text, index)
  for (const text of known.keys()) {
    if (known.size <= knownMax) break
    known.delete(text)
  }
  indexes.set(stored, index)
  return index
}

const makeIndex = (stored: PlanText): PlanIndex => {
  const plans = new Map(plansIn(stored).plans.map((plan) => [planKey(plan), plan]))
  const compiled = new Map<string, CompiledPlan>()
  return {
    find: (kind, name) => {
      const key = planKey({ kind, name })
      const done = compiled.get(key)
      if (done !== undefined) return done
      const plan = plans.get(key)
      if (plan === undefined) return undefined
      const node = Result.getOrUndefined(decodePlanSchema(plan.schema, "schema"))
      if (node === undefined) return undefined
      const one = { plan, node }
      compiled.set(key, one)
      return one
    },
  }
}
