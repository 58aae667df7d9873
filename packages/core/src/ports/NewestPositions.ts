import { Context, type Effect } from "effect"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"
import type { StoreUnavailable } from "./Store.ts"

/**
 * Reads the newest log position of each workspace in a store to which other processes also commit. The reference is
 * null, which is the default, if only this process commits.
 */
export const NewestPositions = Context.Reference<
  | ((
      workspaces: ReadonlyArray<WorkspaceId>,
    ) => Effect.Effect<ReadonlyMap<WorkspaceId, Sequence>, StoreUnavailable>)
  | null
>("@inlet/core/ports/NewestPositions", { defaultValue: () => null })
