import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { Conflict, NotFound } from "@inlethq/contract/access/Problem"
import { planDocument, plansDocument } from "@inlethq/contract/workspaces/Plans"
import { Registry } from "@inlethq/core/ports/Registry"
import type { Plan } from "@inlethq/core/plan/Plan"
import { plansIn } from "@inlethq/core/plan/PlanIndex"
import type { Json } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { workspaceAt } from "../answers/lookup.ts"
import { retryIfChanged } from "../answers/retryIfChanged.ts"
import { Invalidation } from "../node/Invalidation.ts"
import { replacing } from "./replacing.ts"

export const planHandlers = HttpApiBuilder.group(
  ManagementApi,
  "plans",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const turns = yield* Turns
    const invalidation = yield* Invalidation

    const replaced = replacing({ invalidation, registry, turns })

    return handlers.handleAll({
      list: Effect.fn("management.plans.list")(function* ({ params }) {
        return plansDocument(yield* workspaceAt(registry, params.w))
      }, orUnavailable),

      replace: Effect.fn("management.plans.replace")(
        function* ({ params, payload, query }) {
          const current = yield* workspaceAt(registry, params.w)
          const version = current.plan?.version ?? 0
          if (payload.version !== undefined && payload.version !== version) {
            return yield* new Conflict({ detail: problemTexts.planChanged({ version }) })
          }
          const { changes, workspace } = yield* replaced(current, payload.plans, query.dry_run === "true")
          return { ...plansDocument(workspace), changes }
        },
        retryIfChanged,
        Effect.uninterruptible,
        orUnavailable,
      ),

      get: Effect.fn("management.plans.get")(function* ({ params }) {
        return planDocument(yield* planIn(yield* workspaceAt(registry, params.w), params))
      }, orUnavailable),

      put: Effect.fn("management.plans.put")(
        function* ({ params: { kind, name, w }, payload: { mode = "observe", schema, version }, query }) {
          const current = yield* workspaceAt(registry, w)
          const known = plansIn(current.plan).plans.find((one) => one.kind === kind && one.name === name)
          if (version !== undefined && known !== undefined && known.version !== version) {
            return yield* new Conflict({ detail: problemTexts.planChanged({ version: known.version }) })
          }
          const sent = [...othersIn(current, { kind, name }), { kind, name, mode, schema }]
          const { workspace } = yield* replaced(current, sent, query.dry_run === "true", alone)
          return planDocument(yield* planIn(workspace, { kind, name }))
        },
        retryIfChanged,
        Effect.uninterruptible,
        orUnavailable,
      ),

      delete: Effect.fn("management.plans.delete")(
        function* ({ params }) {
          const current = yield* workspaceAt(registry, params.w)
          yield* planIn(current, params)
          yield* replaced(current, othersIn(current, params), false)
        },
        retryIfChanged,
        Effect.uninterruptible,
        orUnavailable,
      ),
    })
  }),
)

/** The body of a request about one plan is the plan, so its fields have no path before them. */
const alone = (): string => ""

const planIn = (workspace: Workspace, { kind, name }: Pick<Plan, "kind" | "name">) => {
  const found = plansIn(workspace.plan).plans.find((plan) => plan.kind === kind && plan.name === name)
  return found === undefined
    ? Effect.fail(new NotFound({ detail: problemTexts.notFound({ thing: "plan" }) }))
    : Effect.succeed(found)
}

const othersIn = (workspace: Workspace, { kind, name }: Pick<Plan, "kind" | "name">): ReadonlyArray<Json> =>
  plansIn(workspace.plan)
    .plans.filter((plan) => plan.kind !== kind || plan.name !== name)
    .map(planDocument)
