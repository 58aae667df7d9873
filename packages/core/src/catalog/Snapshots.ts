import { Context, type Effect, type Scope } from "effect"
import type { Catalog } from "./Catalog.ts"
import type { StoreUnavailable } from "../ports/Store.ts"
import type { WorkspaceId } from "../values/Identifier.ts"

/** The methods of a catalog that read one workspace. */
export type Snapshot = Omit<Catalog["Service"], "workspacesOfDelivery">

/**
 * The longest time in milliseconds that a snapshot stays open. Reads after this time fail. While a snapshot is open,
 * the store cannot free the space of data that have been replaced.
 */
export const snapshotMsMax = 30 * 60 * 1000

/** Opens consistent views of a workspace, for reads that take longer than one page. */
export class Snapshots extends Context.Service<
  Snapshots,
  {
    /**
     * Opens a view of a workspace as it is now. Later commits do not change what the view shows. The view can be read
     * by one fiber at a time, until the scope closes or `snapshotMsMax` has passed.
     */
    open(workspace: WorkspaceId): Effect.Effect<Snapshot, StoreUnavailable, Scope.Scope>
  }
>()("@inlethq/core/catalog/Snapshots") {}
