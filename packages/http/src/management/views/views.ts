import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { Conflict, NotFound } from "@inlethq/contract/access/Problem"
import type { ViewPlace } from "@inlethq/contract/values/Cursor"
import { pageRequest } from "@inlethq/contract/values/Page"
import { viewDocument } from "@inlethq/contract/workspaces/Views"
import { Registry } from "@inlethq/core/ports/Registry"
import { SavedViews, viewsPerWorkspaceMax, type ViewSaved } from "@inlethq/core/ports/SavedViews"
import type { SavedView } from "@inlethq/core/workspace/SavedView"
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { note } from "../../audit/note.ts"
import { newPublicId } from "../../credentials/Secret.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { listPage } from "../answers/listPage.ts"
import { workspaceAt } from "../answers/lookup.ts"

export const viewHandlers = HttpApiBuilder.group(
  ManagementApi,
  "views",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const views = yield* SavedViews

    return handlers.handleAll({
      list: Effect.fn("management.views.list")(function* ({ params, query }) {
        const { id } = yield* workspaceAt(registry, params.w)
        const ascending = (yield* views.list(id))
          .filter(({ page }) => query.page === undefined || page === query.page)
          .toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
        const { items, next } = listPage(ascending, placeOf, isBefore, pageRequest(query))
        return { items: items.map(viewDocument), next }
      }, orUnavailable),

      create: Effect.fn("management.views.create")(function* ({ params, payload: { name, page, query } }) {
        const { id: workspace } = yield* workspaceAt(registry, params.w)
        const now = yield* Clock.currentTimeMillis
        const view = {
          workspace,
          page,
          name,
          query,
          viewId: yield* newPublicId,
          createdAt: now,
          updatedAt: now,
        }
        yield* note({ target: { id: view.viewId }, details: { page } })
        yield* orConflict(yield* views.add(view), view)
        return viewDocument(view)
      }, orUnavailable),

      update: Effect.fn("management.views.update")(function* ({ params, payload }) {
        const { id } = yield* workspaceAt(registry, params.w)
        const before = (yield* views.list(id)).find(({ viewId }) => viewId === params.view_id)
        if (before === undefined) return yield* noView
        const view = { ...before, ...payload, updatedAt: yield* Clock.currentTimeMillis }
        yield* note({ target: { id: view.viewId }, details: { page: view.page } })
        yield* orConflict(yield* views.update(view), view)
        return viewDocument(view)
      }, orUnavailable),

      delete: Effect.fn("management.views.delete")(function* ({ params }) {
        const { id } = yield* workspaceAt(registry, params.w)
        if (!(yield* views.remove(id, params.view_id))) return yield* noView
        yield* note({ target: { id: params.view_id } })
      }, orUnavailable),
    })
  }),
)

const noView = Effect.fail(new NotFound({ detail: problemTexts.notFound({ thing: "view" }) }))

const orConflict = (saved: ViewSaved, { name, page }: SavedView) => {
  switch (saved) {
    case "saved":
      return Effect.void
    case "missing":
      return noView
    case "taken":
      return Effect.fail(new Conflict({ detail: problemTexts.viewNameTaken({ name, page }) }))
    case "full":
      return Effect.fail(new Conflict({ detail: problemTexts.tooManyViews({ max: viewsPerWorkspaceMax }) }))
  }
}

const placeOf = ({ createdAt, viewId }: SavedView): ViewPlace => ({ createdAt, viewId })

const isBefore = (a: ViewPlace, b: ViewPlace): boolean =>
  a.createdAt === b.createdAt ? a.viewId < b.viewId : a.createdAt < b.createdAt
