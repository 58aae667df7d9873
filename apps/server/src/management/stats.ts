import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { InvalidRequest } from "@inlet/api/management/Problem"
import { requestedSteps, statsDocument, statsStepsMax } from "@inlet/api/management/Stats"
import { Catalog } from "@inlet/core/catalog/Catalog"
import { Registry } from "@inlet/core/ports/Registry"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { details } from "./details.ts"
import { workspaceAt } from "./lookup.ts"
import { orUnavailable } from "./problems.ts"

export const statsHandlers = HttpApiBuilder.group(
  ManagementApi,
  "stats",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog

    return handlers.handleAll({
      get: Effect.fn("management.stats.get")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const steps = requestedSteps(query, yield* Clock.currentTimeMillis)
        if (steps.steps < 1) return yield* new InvalidRequest({ detail: details.emptyPeriod() })
        if (steps.steps > statsStepsMax) {
          return yield* new InvalidRequest({ detail: details.tooManySteps({ steps: statsStepsMax }) })
        }
        return statsDocument(steps, yield* catalog.counts(workspace.id, steps))
      }, orUnavailable),
    })
  }),
)
