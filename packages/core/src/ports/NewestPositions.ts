import { Context, type Effect } from "effect"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"
import type { StoreUnavailable } from "./Store.ts"

/**
 * Reads the newest log positions of workspaces from a store to which other processes commit too. Null if only this process commits, which
 * is the default.
 */
export const NewestPositions = Context.Reference<
  | ((
      workspaces: ReadonlyArray<WorkspaceId>,
    ) => Effect.Effect<ReadonlyMap<WorkspaceId, Sequence>, StoreUnavailable>)
  | null
>("@inlet/core/ports/NewestPositions", { defaultValue: () => null })
