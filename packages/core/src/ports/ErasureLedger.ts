import { Context, type Effect } from "effect"
import type { ErasurePlace, ErasureRecord } from "../ledger/ErasureRecord.ts"
import type { WorkspaceId } from "../values/Identifier.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The largest number of records that one read of the ledger returns, whatever its limit. */
export const erasureReadMax = 250

/**
 * The erasure ledger: who was deleted or suppressed, by digest. Records are added in the commit of their operation and are
 * never changed or removed, not even with their workspace.
 */
export class ErasureLedger extends Context.Service<
  ErasureLedger,
  {
    /** Returns the workspaces with records, deleted ones included, in order. */
    readonly workspaces: Effect.Effect<ReadonlyArray<WorkspaceId>, StoreUnavailable>
    /** Reads records of a workspace in the order of their places, and at most `erasureReadMax` of them. */
    read(
      workspace: WorkspaceId,
      page: PageRequest<ErasurePlace>,
    ): Effect.Effect<Page<ErasureRecord, ErasurePlace>, StoreUnavailable>
  }
>()("@inlet/core/ports/ErasureLedger") {}
