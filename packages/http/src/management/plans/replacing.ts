import { planDocument, type PlanChange } from "@inlethq/contract/workspaces/Plans"
import { planKey } from "@inlethq/core/plan/decodePlans"
import type { Plans } from "@inlethq/core/plan/Plan"
import { plansIn } from "@inlethq/core/plan/PlanIndex"
import type { Registry } from "@inlethq/core/ports/Registry"
import type { Json } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Effect } from "effect"
import { auditChanges } from "../../audit/auditChanges.ts"
import { note } from "../../audit/note.ts"
import type { Invalidation } from "../node/Invalidation.ts"
import { plansAfter, planText } from "./planAfter.ts"

interface Services {
  readonly registry: Registry["Service"]
  readonly invalidation: Invalidation["Service"]
  readonly turns: ReadTurns
}

/** Replaces the plans of a workspace, unless it is a dry run or nothing changes. Returns the workspace as it is then. */
export const replacing = ({ invalidation, registry, turns }: Services) =>
  Effect.fnUntraced(function* (
    current: Workspace,
    sent: ReadonlyArray<Json>,
    isDryRun: boolean,
    pathOf?: (place: number) => string,
  ) {
    const before = plansIn(current.plan)
    const after = yield* plansAfter(turns, before, sent, pathOf)
    const changes = changesBetween(before, after)
    yield* note({
      target: { id: String(current.id), name: current.name },
      changes: auditChanges(auditedPlans(before), auditedPlans(after)),
      ...(isDryRun && { details: { dry_run: true } }),
    })
    if (changes.length === 0) return { workspace: current, changes }
    const workspace = { ...current, plan: planText(current.plan, after) }
    if (!isDryRun) {
      yield* registry.updateWorkspace(current, workspace)
      yield* invalidation.workspace(current.id)
    }
    return { workspace, changes }
  })

const changesBetween = (before: Plans, after: Plans): ReadonlyArray<PlanChange> => {
  const old = new Map(before.plans.map((plan) => [planKey(plan), plan]))
  const kept = new Set(after.plans.map(planKey))
  return [
    ...after.plans.flatMap((plan): ReadonlyArray<PlanChange> => {
      const { kind, name, version } = plan
      const known = old.get(planKey(plan))
      if (known === undefined) return [{ kind, name, change: "added" }]
      return known.version === version ? [] : [{ kind, name, change: "changed" }]
    }),
    ...before.plans.flatMap((plan): ReadonlyArray<PlanChange> => {
      const { kind, name } = plan
      return kept.has(planKey(plan)) ? [] : [{ kind, name, change: "removed" }]
    }),
  ]
}

const auditedPlans = ({ plans }: Plans): Readonly<Record<string, Json>> =>
  Object.fromEntries(plans.map((plan) => [`plan ${planKey(plan)}`, planDocument(plan)]))
