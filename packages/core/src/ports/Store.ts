import { Context, Schema, type Effect } from "effect"
import type { DecidedBatch } from "../Batch.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { Needs } from "../Needs.ts"
import type { UploadPart } from "./Upload.ts"
import type { WorkingSet } from "../WorkingSet.ts"
import { storeTexts } from "../log/faults.ts"

/** The store cannot read or commit now: its disk is full, its file locked, its server away. Nothing was applied. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  operation: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message() {
    return storeTexts.unavailable({ operation: this.operation })
  }
}

/** What one bounded step of housekeeping did. */
export interface Swept {
  /** Entries of deleted subjects that were erased, and entries that were past their window. */
  readonly entries: number
  /** Whether nothing is left to do for now. */
  readonly done: boolean
}

/** Where decided batches are kept. A batch costs one load and one commit, whatever its size. */
export class Store extends Context.Service<
  Store,
  {
    /**
     * Loads what `needs` names, decides, and saves what was decided in one durable transaction: all of it or nothing.
     * `decide` must be pure, because a store that loses a race to another writer loads again and calls it again.
     */
    transact(
      needs: Needs,
      decide: (state: WorkingSet) => DecidedBatch,
    ): Effect.Effect<DecidedBatch, StoreUnavailable>
    /** Returns what a batch with these needs would be decided against, as one consistent view of what is committed. */
    view(needs: Needs): Effect.Effect<WorkingSet, StoreUnavailable>
    /** Succeeds where a commit would. */
    readonly probe: Effect.Effect<void, StoreUnavailable>
    /**
     * Registers a part of an upload, durably, unless one of its name is registered already. Returns the digest that is
     * registered: another than that of the part if the name was used for another file in the last 30 days.
     */
    registerUpload(part: UploadPart): Effect.Effect<string, StoreUnavailable>
    /** One bounded, resumable step of erasing what was deleted and pruning what is past its window. */
    sweep(now: EpochMillis): Effect.Effect<Swept, StoreUnavailable>
  }
>()("@inlet/core/ports/Store") {}
