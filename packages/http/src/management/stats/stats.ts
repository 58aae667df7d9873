import { activityDocument } from "@inlethq/log/documents/activityDocument"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { faultyOutcomes, reasonsEntriesMax, reasonsIn } from "@inlethq/contract/activity/Reasons"
import { requestedSteps, statsDocument, statsStepsMax } from "@inlethq/contract/activity/Stats"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Registry } from "@inlethq/core/ports/Registry"
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
          const { counts, firstStep } = yield* catalog.counts(workspace.id, steps)
          return statsDocument(steps, counts, steps.from + firstStep * steps.stepMs)
        }
        const requested = yield* validActivityRequest({ filter: query.filter }, null)
        const reader = { catalog, turns, brand }
        const { counts, countedFrom } = yield* countMatching(reader, workspace.id, requested, steps)
        return statsDocument(steps, counts, countedFrom)
      }, orUnavailable),

      reasons: Effect.fn("management.stats.reasons")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const page = { limit: reasonsEntriesMax, after: null, order: "desc" } as const
        const found = yield* Effect.forEach(faultyOutcomes, (outcome) =>
          Effect.map(catalog.activity(workspace.id, { ...noFilter, outcome }, page), (read) => ({
            ...read,
            outcome,
          })),
        )
        return yield* turns.work(function* () {
          const records = found.flatMap(({ items }) => items)
          return {
            items: reasonsIn(records.map((record) => activityDocument(record, brand))),
            counted: found.map(({ items, next, outcome }) => {
              const oldest = next === null ? undefined : items.at(-1)
              const counted_from = oldest === undefined ? null : toIso(oldest.entry.receivedAt)
              return { outcome, entries: items.length, counted_from }
            }),
          }
        })
      }, orUnavailable),
    })
  }),
)
