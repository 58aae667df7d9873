import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { personQueries } from "@inlethq/wire/operations/personQueries"
import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { compileSegments } from "@inlethq/core/rule/definitions"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Clock, Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BrandInUse } from "../../BrandInUse.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { foundOr404, personAt, workspaceAt } from "../answers/lookup.ts"
import { namesIn, personNamed } from "../answers/personNames.ts"
import { explainMembership, segmentsOfPerson } from "./explainMembership.ts"
import { segmentAt } from "./segments.ts"
import { backtestOf, previewOf, validRule } from "./tryRule.ts"

export const segmentRuleHandlers = HttpApiBuilder.group(
  ManagementApi,
  "segmentRules",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const store = yield* Store
    const turns = yield* Turns
    const brand = yield* BrandInUse
    const reader = { catalog, store, turns, brand }

    /** Finds the person whom a text names, or fails with a 404. */
    const personCalled = Effect.fnUntraced(function* (workspace: WorkspaceId, text: string) {
      for (const query of personQueries(text)) {
        for (const name of namesIn(query)) {
          const found = yield* personNamed(catalog, workspace, name)
          if (Option.isSome(found)) return found.value
        }
      }
      return yield* foundOr404(Option.none(), problemTexts.notFound({ thing: "person" }))
    })

    return handlers.handleAll({
      explain: Effect.fn("management.segmentRules.explain")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { segment } = yield* segmentAt(catalog, workspace.id, params.segment_id)
        const definition = compileSegments([segment]).definitions.get(segment.key)
        const rule = definition?.current ?? definition?.next ?? null
        if (rule === null) return yield* new InvalidRequest({ detail: problemTexts.noRule() })
        const { person } = yield* personCalled(workspace.id, query.person)
        const now = yield* Clock.currentTimeMillis
        return yield* explainMembership(reader, person, segment.key, rule, now)
      }, orUnavailable),

      preview: Effect.fn("management.segmentRules.preview")(function* ({ params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const rule = yield* validRule(store, workspace.id, payload.rule)
        const now = yield* Clock.currentTimeMillis
        return yield* previewOf({ ...reader, workspace: workspace.id }, rule, now)
      }, orUnavailable),

      backtest: Effect.fn("management.segmentRules.backtest")(function* ({ params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const rule = yield* validRule(store, workspace.id, payload.rule)
        const now = yield* Clock.currentTimeMillis
        return yield* backtestOf({ ...reader, workspace: workspace.id }, rule, payload.days, now)
      }, orUnavailable),

      ofPerson: Effect.fn("management.segmentRules.ofPerson")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { person, segments } = yield* personAt(catalog, workspace.id, params.svc_id)
        return { items: yield* segmentsOfPerson(reader, person, segments) }
      }, orUnavailable),
    })
  }),
)
