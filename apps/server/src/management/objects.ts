import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { objectDocument } from "@inlet/api/management/Objects"
import { pageRequest } from "@inlet/api/management/Page"
import { Directory } from "@inlet/core/Directory"
import { Registry } from "@inlet/core/Registry"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { foundOr404, workspaceAt } from "./lookup.ts"
import { orUnavailable } from "./problems.ts"

export const objectHandlers = HttpApiBuilder.group(
  ManagementApi,
  "objects",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const directory = yield* Directory

    return handlers.handleAll({
      list: Effect.fn("management.objects.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const typeId = query.object_type_id ?? null
        const page = yield* directory.objects(workspace.id, typeId, pageRequest(query))
        return { items: page.items.map(objectDocument), next: page.next }
      }, orUnavailable),

      get: Effect.fn("management.objects.get")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const found = yield* directory.object(workspace.id, params.object_type_id, params.object_id)
        return objectDocument(yield* foundOr404(found, "there is no such object in this workspace"))
      }, orUnavailable),
    })
  }),
)
