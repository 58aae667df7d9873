import { Context, type Effect } from "effect"
import type { WorkspaceId } from "../values/Identifier.ts"
import type { SavedView } from "../workspace/SavedView.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The largest number of saved views of a workspace. */
export const viewsPerWorkspaceMax = 500

/**
 * What became of a view to save: `taken` if another view of its page has the name, `full` if the workspace has
 * `viewsPerWorkspaceMax` views, and `missing` if the view or its workspace was deleted.
 */
export type ViewSaved = "saved" | "taken" | "full" | "missing"

/** The views that operators saved. They are of the workspace, and everybody who may read it sees them. */
export class SavedViews extends Context.Service<
  SavedViews,
  {
    /** Lists the views of a workspace, oldest first. */
    list(workspace: WorkspaceId): Effect.Effect<ReadonlyArray<SavedView>, StoreUnavailable>
    add(view: SavedView): Effect.Effect<ViewSaved, StoreUnavailable>
    /** Replaces a view by id. */
    update(view: SavedView): Effect.Effect<ViewSaved, StoreUnavailable>
    /** Returns whether there was such a view. */
    remove(workspace: WorkspaceId, viewId: string): Effect.Effect<boolean, StoreUnavailable>
  }
>()("@inlethq/core/ports/SavedViews") {}
