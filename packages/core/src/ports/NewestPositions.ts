import { Context, type Effect } from "effect"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"
import type { StoreUnavailable } from "./Store.ts"

/**
 * Reads the newest log position of each of the given workspaces, for a store to which other processes also commit. The
 * default is null, for a store to which only this process commits.
 */
export const NewestPositions = Context.Reference<
  | ((
      workspaces: ReadonlyArray<WorkspaceId>,
    ) => Effect.Effect<ReadonlyMap<WorkspaceId, Sequence>, StoreUnavailable>)
  | null
>("@inlet/core/ports/NewestPositions", { defaultValue: () => null })
