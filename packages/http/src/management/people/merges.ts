import { mergeDocument } from "@inlethq/log/documents/mergeDocuments"
import { pageRequest } from "@inlethq/contract/values/Page"
import { mergesInto } from "@inlethq/engine/erasures/merges"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { personAt, workspaceAt } from "../answers/lookup.ts"
import { mergePreviewOf } from "./mergePreview.ts"
import { unmergePreviewOf } from "../operations/unmerge.ts"
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

      list: Effect.fn("management.merges.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { person } = yield* personAt(catalog, workspace.id, params.svc_id)
        const now = yield* Clock.currentTimeMillis
        const { items, next } = yield* mergesInto(catalog, person, now, pageRequest(query))
        return { items: items.map(mergeDocument), next }
      }, orUnavailable),

      unmergePreview: Effect.fn("management.merges.unmergePreview")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const primary = yield* personAt(catalog, workspace.id, params.svc_id)
        const isDivided = query.divide === "true"
        return yield* unmergePreviewOf({ catalog, store }, workspace, primary, query.secondary, isDivided)
      }, orUnavailable),
    })
  }),
)
