import { Context, type Effect } from "effect"
import type { ErasedRows } from "../ledger/ErasedRows.ts"
import type { ErasurePlace, ErasureRecord } from "../ledger/ErasureRecord.ts"
import type { SubjectKey, WorkspaceId } from "../values/Identifier.ts"
import type { Page, PageRequest } from "../values/Page.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The largest number of records that one read of the ledger returns, whatever its limit. */
export const erasureReadMax = 250

/** The largest number of receipts that one read of `unsealed` looks at. */
export const unsealedMax = 250

/** The place of a record in the ledgers of all workspaces. */
export interface LedgerPlace extends ErasurePlace {
  readonly workspace: WorkspaceId
}

/** The largest number of keys that `erasing` returns. If there are more, it returns this many. */
export const erasingMax = 1000

/** A receipt of an erasure: its text, and the Ed25519 signature of the bytes of the text, in base64. */
export interface SignedReceipt {
  readonly text: string
  readonly signature: string
}

/** A search of the whole database file for bytes of erased rows. */
export interface OverwrittenPages {
  /** The number of pages that were searched. */
  readonly searched: number
  /** The number of pages that had such bytes left, which were overwritten. */
  readonly overwritten: number
}

/** Where a store keeps its data, which decides what becomes of the bytes of deleted rows. */
export type ErasureMedium = "scrubbed files" | "files" | "postgresql" | "memory"

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
    readonly medium: ErasureMedium
    /**
     * Looks at the newest `unsealedMax` receipts that are not sealed, of those before a place or of all, and returns their records,
     * newest first. Leaves out those that a lake has not read or whose rows are still in its files.
     */
    unsealed(before: LedgerPlace | null): Effect.Effect<Page<ErasureRecord, LedgerPlace>, StoreUnavailable>
    /** Returns the keys of people, objects and segments whose rows are still being erased, at most `erasingMax`. */
    erasing(workspace: WorkspaceId): Effect.Effect<ReadonlyArray<SubjectKey>, StoreUnavailable>
    /** Whether all rows that were erased so far are also overwritten. False if the store does not overwrite them. */
    readonly isOverwritten: Effect.Effect<boolean, StoreUnavailable>
    /** Returns what has been erased so far because of a record, in the rows of the workspace. */
    erased(workspace: WorkspaceId, place: ErasurePlace): Effect.Effect<ErasedRows, StoreUnavailable>
    /** Returns the last search of the whole database file for bytes of erased rows, or null if there was none. */
    readonly overwriting: Effect.Effect<OverwrittenPages | null, StoreUnavailable>
    /** Stores a receipt durably, unless the record has one, and forgets the files of the lake that were written again, which it names. */
    seal(
      workspace: WorkspaceId,
      place: ErasurePlace,
      receipt: SignedReceipt,
    ): Effect.Effect<void, StoreUnavailable>
    /** Returns the sealed receipt of a record, or null. */
    receipt(
      workspace: WorkspaceId,
      place: ErasurePlace,
    ): Effect.Effect<SignedReceipt | null, StoreUnavailable>
  }
>()("@inlethq/core/ports/ErasureLedger") {}
