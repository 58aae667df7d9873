import { Context, type Effect, type Scope } from "effect"
import type { Catalog } from "./Catalog.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import type { WorkspaceId } from "../values/Identifier.ts"

/** The reads of a catalog that show one workspace. */
export type Snapshot = Omit<Catalog["Service"], "workspacesOfDelivery">

/**
 * The longest time for which a snapshot stays open. Later reads fail, because the store cannot free the space of
 * replaced data while a snapshot shows them.
 */
export const snapshotMsMax = 30 * 60 * 1000

/** Opens consistent views of a workspace, for reads that take longer than one page. */
export class Snapshots extends Context.Service<
  Snapshots,
  {
    /**
     * Opens a view of a workspace as it is now. Later commits do not change what the view shows. The view may be read
     * until the scope closes, for at most `snapshotMsMax`, by one fiber at a time.
     */
    open(workspace: WorkspaceId): Effect.Effect<Snapshot, StoreUnavailable, Scope.Scope>
  }
>()("@inlet/core/catalog/Snapshots") {}
