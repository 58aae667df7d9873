import { Registry } from "@inlethq/core/ports/Registry"
import { SavedViews, viewsPerWorkspaceMax } from "@inlethq/core/ports/SavedViews"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { SavedView } from "@inlethq/core/workspace/SavedView"
import { Effect } from "effect"
import { noon, workspaceOf } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"

const refused: SavedView = {
  viewId: "v2",
  workspace: WorkspaceId.make(1),
  page: "live",
  name: "Refused \u0000 \ud800",
  query: { filter: "outcome:rejected \u0000", last: "24h" },
  createdAt: noon,
  updatedAt: noon,
}

const pro: SavedView = { ...refused, viewId: "v1", page: "people", name: "Pro", query: { q: "plan=pro" } }

const { id: _, ...settings } = workspaceOf(1)

/** The properties that every store of saved views must have. */
export const viewLaws: ReadonlyArray<Law<SavedViews | Registry>> = [
  {
    name: "saved views are listed oldest first, and are changed and deleted by id",
    check: Effect.gen(function* () {
      const views = yield* SavedViews
      const w = refused.workspace
      yield* expectSame("none", yield* views.list(w), [])
      const later = { ...pro, createdAt: noon + 1 }
      yield* expectSame("added", [yield* views.add(later), yield* views.add(refused)], ["saved", "saved"])
      yield* expectSame("both", yield* views.list(w), [refused, later])
      yield* expectSame("of another workspace", yield* views.list(WorkspaceId.make(2)), [])
      const changed = { ...later, name: "Everyone", query: {}, updatedAt: noon + 2 }
      yield* expectSame("changed", yield* views.update(changed), "saved")
      yield* expectSame("after the change", yield* views.list(w), [refused, changed])
      const removed = [yield* views.remove(w, "v2"), yield* views.remove(w, "v2")]
      yield* expectSame("removed", removed, [true, false])
      yield* expectSame("updated when gone", yield* views.update(refused), "missing")
      yield* expectSame("left", yield* views.list(w), [changed])
    }),
  },
  {
    name: "two saved views of a page have different names",
    check: Effect.gen(function* () {
      const views = yield* SavedViews
      yield* views.add(refused)
      const same = { ...refused, viewId: "v3" }
      yield* expectSame("the same name", yield* views.add(same), "taken")
      yield* expectSame("on another page", yield* views.add({ ...same, page: "errors" }), "saved")
      yield* views.add(pro)
      yield* expectSame("renamed", yield* views.update({ ...pro, page: "live", name: refused.name }), "taken")
      yield* expectSame("kept", yield* views.update(refused), "saved")
    }),
  },
  {
    name: "a workspace has at most the limit of saved views, and a deleted one has none",
    check: Effect.gen(function* () {
      const views = yield* SavedViews
      const registry = yield* Registry
      const { id: workspace } = yield* registry.createWorkspace(settings)
      yield* registry.createWorkspace(settings)
      const all = Array.from({ length: viewsPerWorkspaceMax }, (_, n) => ({
        ...refused,
        workspace,
        viewId: `v${n}`,
        name: `${n}`,
      }))
      yield* Effect.forEach(all, views.add)
      yield* expectSame("one more", yield* views.add({ ...refused, workspace, viewId: "more" }), "full")
      yield* registry.deleteWorkspace(workspace, noon)
      yield* expectSame("after the deletion", yield* views.add({ ...refused, workspace }), "missing")
    }),
  },
  {
    name: "of views that are saved at once, no more than the limit are saved, and each name once",
    check: Effect.gen(function* () {
      const views = yield* SavedViews
      const registry = yield* Registry
      const { id: workspace } = yield* registry.createWorkspace(settings)
      const viewOf = (n: number) => ({ ...refused, workspace, viewId: `v${n}`, name: `${n}` })
      const all = Array.from({ length: viewsPerWorkspaceMax - 1 }, (_, n) => viewOf(n))
      yield* Effect.forEach(all, views.add)
      const atOnce = Array.from({ length: 6 }, (_, n) => viewOf(viewsPerWorkspaceMax + n))
      const saved = yield* Effect.forEach(atOnce, views.add, { concurrency: "unbounded" })
      yield* expectSame("saved", saved.toSorted(), ["full", "full", "full", "full", "full", "saved"])
      const renamed = yield* Effect.forEach(
        all.slice(0, 6).map((view) => ({ ...view, name: "the same" })),
        views.update,
        { concurrency: "unbounded" },
      )
      yield* expectSame("renamed", renamed.toSorted(), ["saved", "taken", "taken", "taken", "taken", "taken"])
    }),
  },
]
