import { ObjectCursor, PersonCursor } from "@inlethq/contract/values/Cursor"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import {
  ObjectDocument,
  objectDocument,
  RelatedDocument,
  relatedDocument,
} from "@inlethq/contract/objects/Objects"
import { pageRequest } from "@inlethq/contract/values/Page"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Registry } from "@inlethq/core/ports/Registry"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { foundOr404, workspaceAt } from "../answers/lookup.ts"
import { pageAnswer } from "../answers/pageAnswer.ts"
import { asOf, pastMoment } from "../answers/pastMoment.ts"
import { objectThen, peopleThen } from "./objectThen.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

const answerObjects = pageAnswer(objectDocument, ObjectDocument, ObjectCursor)
const answerPeople = pageAnswer(relatedDocument, RelatedDocument, PersonCursor)

export const objectHandlers = HttpApiBuilder.group(
  ManagementApi,
  "objects",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const snapshots = yield* Snapshots
    const turns = yield* Turns

    return handlers.handleAll({
      list: Effect.fn("management.objects.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const typeId = query.object_type_id ?? null
        const page = yield* catalog.objects(workspace.id, typeId, pageRequest(query))
        return yield* answerObjects(turns, page)
      }, orUnavailable),

      get: Effect.fn("management.objects.get")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const moment = yield* pastMoment(query)
        if (moment === null) return objectDocument(yield* objectAt(catalog, workspace.id, params))
        const then = yield* objectThen(snapshots, workspace.id, params, moment)
        return { ...then, as_of: asOf(query) }
      }, orUnavailable),

      people: Effect.fn("management.objects.people")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const moment = yield* pastMoment(query)
        if (moment !== null) {
          const then = yield* peopleThen(snapshots, workspace.id, params, moment, pageRequest(query))
          return yield* answerPeople(turns, then)
        }
        const { object } = yield* objectAt(catalog, workspace.id, params)
        const page = yield* catalog.related(workspace.id, object.key, pageRequest(query))
        return yield* answerPeople(turns, page)
      }, orUnavailable),
    })
  }),
)

const objectAt = (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  { object_id, object_type_id }: { readonly object_type_id: string; readonly object_id: string },
) =>
  catalog
    .object(workspace, object_type_id, object_id)
    .pipe(Effect.flatMap((found) => foundOr404(found, problemTexts.notFound({ thing: "object" }))))
