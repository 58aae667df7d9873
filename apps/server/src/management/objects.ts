import { ObjectCursor } from "@inlet/api/management/Cursor"
import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { ObjectDocument, objectDocument } from "@inlet/api/management/Objects"
import { pageRequest } from "@inlet/api/management/Page"
import { Directory } from "@inlet/core/Directory"
import { Turns } from "@inlet/core/ReadTurns"
import { Registry } from "@inlet/core/Registry"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { foundOr404, workspaceAt } from "./lookup.ts"
import { pageAnswer } from "./pageAnswer.ts"
import { orUnavailable } from "./problems.ts"

const answerObjects = pageAnswer(objectDocument, ObjectDocument, ObjectCursor)

export const objectHandlers = HttpApiBuilder.group(
  ManagementApi,
  "objects",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const directory = yield* Directory
    const turns = yield* Turns

    return handlers.handleAll({
      list: Effect.fn("management.objects.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const typeId = query.object_type_id ?? null
        const page = yield* directory.objects(workspace.id, typeId, pageRequest(query))
        return yield* answerObjects(turns, page)
      }, orUnavailable),

      get: Effect.fn("management.objects.get")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const found = yield* directory.object(workspace.id, params.object_type_id, params.object_id)
        return objectDocument(yield* foundOr404(found, "there is no such object in this workspace"))
      }, orUnavailable),
    })
  }),
)
