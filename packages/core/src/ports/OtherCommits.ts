import { Context, type Effect, type Scope } from "effect"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The commits of other processes. A store to which only this process commits does not provide this service. */
export class OtherCommits extends Context.Service<
  OtherCommits,
  {
    /** Reads the newest log position of each of the given workspaces. */
    newest(
      workspaces: ReadonlyArray<WorkspaceId>,
    ): Effect.Effect<ReadonlyMap<WorkspaceId, Sequence>, StoreUnavailable>
    /**
     * Runs an effect after each hint that another process may have committed, until the scope closes. Hints can be lost,
     * and some stores give none, so readers must also poll.
     */
    hints(onHint: Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope>
  }
>()("@inlethq/core/ports/OtherCommits") {}
