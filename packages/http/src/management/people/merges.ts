import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { Catalog } from "@inlet/core/catalog/Catalog"
import { Registry } from "@inlet/core/ports/Registry"
import { Store } from "@inlet/core/ports/Store"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { personAt, workspaceAt } from "../answers/lookup.ts"
import { mergePreviewOf } from "./mergePreview.ts"
import { orUnavailable } from "../../problems/problems.ts"

export const mergeHandlers = HttpApiBuilder.group(
  ManagementApi,
  "merges",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const store = yield* Store

    return handlers.handleAll({
      preview: Effect.fn("management.merges.preview")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const primary = yield* personAt(catalog, workspace.id, params.svc_id)
        const secondary = yield* personAt(catalog, workspace.id, query.secondary)
        return yield* mergePreviewOf(store, workspace, primary, secondary)
      }, orUnavailable),
    })
  }),
)
