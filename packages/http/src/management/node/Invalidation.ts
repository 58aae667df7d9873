import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Context, type Effect } from "effect"

/**
 * Clears the cached data of a workspace. Must be called after every change to the settings or keys of the workspace.
 */
export class Invalidation extends Context.Service<
  Invalidation,
  { workspace(id: WorkspaceId): Effect.Effect<void> }
>()("@inlethq/http/management/node/Invalidation") {}
