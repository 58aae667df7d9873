import { activityDocument } from "@inlet/api/management/ActivityLog"
import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { InvalidRequest } from "@inlet/api/management/Problem"
import { faultyOutcomes, reasonsEntriesMax, reasonsIn } from "@inlet/api/management/Reasons"
import { requestedSteps, statsDocument, statsStepsMax } from "@inlet/api/management/Stats"
import { Catalog, noFilter } from "@inlet/core/catalog/Catalog"
import { Turns } from "@inlet/engine/reads/ReadTurns"
import { Registry } from "@inlet/core/ports/Registry"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BrandInUse } from "../../BrandInUse.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { validActivityRequest } from "../activity/validActivityRequest.ts"
import { workspaceAt } from "../answers/lookup.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { countMatching } from "./countMatching.ts"

export const statsHandlers = HttpApiBuilder.group(
  ManagementApi,
  "stats",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const turns = yield* Turns
    const brand = yield* BrandInUse

    return handlers.handleAll({
      get: Effect.fn("management.stats.get")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const steps = requestedSteps(query, yield* Clock.currentTimeMillis)
        if (steps.steps < 1) return yield* new InvalidRequest({ detail: problemTexts.emptyPeriod() })
        if (steps.steps > statsStepsMax) {
          return yield* new InvalidRequest({ detail: problemTexts.tooManySteps({ steps: statsStepsMax }) })
        }
        if (query.filter === undefined) {
          return statsDocument(steps, yield* catalog.counts(workspace.id, steps))
        }
        const requested = yield* validActivityRequest({ filter: query.filter }, null)
        return statsDocument(
          steps,
          yield* countMatching({ catalog, turns, brand }, workspace.id, requested, steps),
        )
      }, orUnavailable),

      reasons: Effect.fn("management.stats.reasons")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const page = { limit: reasonsEntriesMax, after: null, order: "desc" } as const
        const found = yield* Effect.forEach(faultyOutcomes, (outcome) =>
          catalog.activity(workspace.id, { ...noFilter, outcome }, page),
        )
        return yield* turns.work(function* () {
          const records = found.flatMap(({ items }) => items)
          return { items: reasonsIn(records.map((record) => activityDocument(record, brand))) }
        })
      }, orUnavailable),
    })
  }),
)
