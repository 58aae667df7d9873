import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { alertDocument } from "@inlethq/contract/alerts/Alerts"
import { Alerts } from "@inlethq/core/ports/Alerts"
import { Registry } from "@inlethq/core/ports/Registry"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { orUnavailable } from "../../problems/problems.ts"
import { workspaceAt } from "../answers/lookup.ts"

export const alertHandlers = HttpApiBuilder.group(
  ManagementApi,
  "alerts",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const alerts = yield* Alerts

    return handlers.handleAll({
      list: Effect.fn("management.alerts.list")(function* ({ params, query: { state } }) {
        const { id } = yield* workspaceAt(registry, params.w)
        const all = yield* alerts.list(id)
        const items = all.filter(
          ({ endedAt }) => state === undefined || (endedAt === null) === (state === "open"),
        )
        return { items: items.map(alertDocument) }
      }, orUnavailable),
    })
  }),
)
