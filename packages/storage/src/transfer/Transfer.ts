import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { ErasurePlace, ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import type { Digest } from "@inlethq/core/ports/Digest"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import { Schema, type Effect } from "effect"
import type { RowOwner, TransferCursor, TransferRow, TransferTable } from "../columns/transferTables.ts"

/** Rows of a table, and the cursor after them. A page without rows is the last page. */
export interface TransferPage {
  readonly rows: ReadonlyArray<TransferRow>
  readonly cursor: TransferCursor
}

/** The data of an installation, to be copied to another store. */
export interface TransferSource {
  /** Returns the largest id that a deleted workspace had; 0 if no workspace was deleted. The id is not used again. */
  readonly lastDeleted: Effect.Effect<number, StoreUnavailable>
  /** Returns all workspaces except deleted ones, in order. */
  readonly workspaces: Effect.Effect<ReadonlyArray<WorkspaceId>, StoreUnavailable>
  /** Returns the owners of the rows of an installation table, deleted workspaces included, in order. */
  owners(table: TransferTable): Effect.Effect<ReadonlyArray<RowOwner>, StoreUnavailable>
  /** Reads rows of a workspace or of the installation after a cursor, in the order of their keys. */
  read(
    table: TransferTable,
    workspace: RowOwner,
    after: TransferCursor,
  ): Effect.Effect<TransferPage, StoreUnavailable>
}

/**
 * Identifies the source of a copy, so that an interrupted copy resumes only if its source has not changed. `heads` has
 * the next free key and the next log position of each workspace. Each accepted operation changes at least one of these
 * numbers.
 */
export const CopyPlan = Schema.Struct({
  /** The SHA-256 of the key with which the source computes the digests of suppressed identifiers. */
  source: Schema.String,
  /** Whether a single workspace is copied into a store that already has other workspaces. */
  isAdded: Schema.Boolean,
  /** The largest id that a deleted workspace of the source had. */
  lastDeleted: Schema.Int,
  heads: Schema.Array(
    Schema.Struct({ workspace: Schema.Int, nextKey: Schema.Int, nextSequence: Schema.Int }),
  ),
})
export type CopyPlan = typeof CopyPlan.Type

/** The progress of copying one table of one workspace. */
export const CopiedTable = Schema.Struct({
  cursor: Schema.Array(Schema.Union([Schema.String, Schema.Int])),
  rows: Schema.Int,
  isDone: Schema.Boolean,
})
export type CopiedTable = typeof CopiedTable.Type

/** The state of the target store before data are copied into it. */
export type TargetState =
  | { readonly _tag: "Empty" }
  | { readonly _tag: "Occupied"; readonly workspaces: ReadonlyArray<number> }
  | {
      readonly _tag: "Unfinished"
      readonly plan: CopyPlan
      readonly progress: ReadonlyMap<string, CopiedTable>
    }

/** The store into which data are copied. Servers do not open it until the copy is complete. */
export interface TransferTarget {
  readonly state: Effect.Effect<TargetState, StoreUnavailable>
  /** Marks the store as unfinished, so that servers do not open it. */
  begin(plan: CopyPlan): Effect.Effect<void, StoreUnavailable>
  /** Writes rows and the progress of the copy in one transaction. */
  write(
    table: TransferTable,
    workspace: RowOwner,
    rows: ReadonlyArray<TransferRow>,
    copied: CopiedTable,
  ): Effect.Effect<void, StoreUnavailable>
  /**
   * Runs one step that builds derived data of a workspace, such as indexes. Returns false if nothing is left to build.
   */
  derive(workspace: WorkspaceId): Effect.Effect<boolean, StoreUnavailable>
  /** Reads records of the target's own erasure ledger, in the order of their places. */
  erasures(
    workspace: WorkspaceId,
    page: PageRequest<ErasurePlace>,
  ): Effect.Effect<Page<ErasureRecord, ErasurePlace>, StoreUnavailable>
  /**
   * Erases again whom these records of a copied workspace name, and removes their rows. Can be repeated. Returns the number of
   * records that took effect.
   */
  eraseAgain(
    workspace: WorkspaceId,
    records: ReadonlyArray<ErasureRecord>,
    digest: Digest["Service"],
  ): Effect.Effect<number, StoreUnavailable>
  /**
   * Removes the mark that `begin` has set, so that servers can open the store. The removal is durable when the effect
   * ends.
   */
  readonly finish: Effect.Effect<void, StoreUnavailable>
}
