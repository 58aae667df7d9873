import { SavedViews, viewsPerWorkspaceMax } from "@inlethq/core/ports/SavedViews"
import type { SavedView } from "@inlethq/core/workspace/SavedView"
import { Effect, Layer } from "effect"
import { MemoryState } from "./MemoryState.ts"

/** Stores saved views in memory. */
export const savedViews = Layer.effect(
  SavedViews,
  Effect.map(MemoryState, ({ deleted, views }) => {
    const of = (workspace: SavedView["workspace"]): ReadonlyArray<SavedView> =>
      deleted.has(workspace) ? [] : (views.get(workspace) ?? [])
    const isTaken = ({ name, page, viewId, workspace }: SavedView): boolean =>
      of(workspace).some((one) => one.page === page && one.name === name && one.viewId !== viewId)
    return SavedViews.of({
      list: (workspace) => Effect.sync(() => of(workspace).toSorted(byAge)),
      add: (view) =>
        Effect.sync(() => {
          const known = of(view.workspace)
          if (deleted.has(view.workspace)) return "missing"
          if (known.length >= viewsPerWorkspaceMax) return "full"
          if (isTaken(view)) return "taken"
          views.set(view.workspace, [...known, view])
          return "saved"
        }),
      update: (view) =>
        Effect.sync(() => {
          const known = of(view.workspace)
          const before = known.find(({ viewId }) => viewId === view.viewId)
          if (isTaken(view)) return "taken"
          if (before === undefined) return "missing"
          const after = { ...view, createdAt: before.createdAt }
          views.set(
            view.workspace,
            known.map((one) => (one === before ? after : one)),
          )
          return "saved"
        }),
      remove: (workspace, viewId) =>
        Effect.sync(() => {
          const known = of(workspace)
          const left = known.filter((one) => one.viewId !== viewId)
          views.set(workspace, left)
          return left.length < known.length
        }),
    })
  }),
)

const byAge = (a: SavedView, b: SavedView): number =>
  a.createdAt - b.createdAt || (a.viewId < b.viewId ? -1 : 1)
