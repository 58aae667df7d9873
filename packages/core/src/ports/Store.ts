import { Context, Schema, type Effect } from "effect"
import type { DecidedBatch } from "../Batch.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { Needs } from "../Needs.ts"
import type { UploadPart } from "./Upload.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { storeTexts } from "../log/faults.ts"

/**
 * The store cannot read or commit, for example because the disk is full or the file is locked. Nothing was applied, with
 * one exception: a database server may have applied a commit whose connection broke and whose outcome is still unknown.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  operation: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message() {
    return storeTexts.unavailable({ operation: this.operation })
  }
}

/** The most batches that a store accepts at the same time, of one workspace and in all. */
export interface BatchesInFlightMax {
  readonly perWorkspace: number
  readonly total: number
}

/** The result of one step of housekeeping. */
export interface Swept {
  /** Entries that were erased with their subject or pruned after their retention. */
  readonly entries: number
  /** Whether the step left nothing to do in the workspaces that it looked at. */
  readonly done: boolean
}

/**
 * The interface to durable state. A batch belongs to one workspace and costs one load and one commit, whatever its size.
 * Nothing that it reads or writes belongs to another workspace.
 */
export class Store extends Context.Service<
  Store,
  {
    /** The most calls of `transact` that may run at the same time. Calls for one workspace are committed in order. */
    readonly batchesInFlightMax: BatchesInFlightMax
    /**
     * Loads what `needs` names, calls `decide`, and saves its result in one durable transaction, all or nothing.
     * `decide` must be pure, because a store that loses a race with another writer loads and decides again.
     */
    transact(
      needs: Needs,
      decide: (state: WorkingSet) => DecidedBatch,
    ): Effect.Effect<DecidedBatch, StoreUnavailable>
    /**
     * Returns the working set of these needs without deciding anything. The working set is one consistent view of
     * committed state.
     */
    view(needs: Needs): Effect.Effect<WorkingSet, StoreUnavailable>
    /** Succeeds if the store could commit at the moment. */
    readonly probe: Effect.Effect<void, StoreUnavailable>
    /**
     * Registers a part of an upload durably, unless its name is registered already. Returns the digest registered for
     * the name. The digest differs from the part's digest if the name was used for another file in the last 30 days.
     */
    registerUpload(part: UploadPart): Effect.Effect<string, StoreUnavailable>
    /**
     * Runs one bounded step of housekeeping: erases deleted data and prunes expired data. Can be interrupted and
     * resumed. Workspaces take turns, so that no workspace delays the housekeeping of the others for ever.
     */
    sweep(now: EpochMillis): Effect.Effect<Swept, StoreUnavailable>
  }
>()("@inlet/core/ports/Store") {}
