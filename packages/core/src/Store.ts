import { Context, Schema, type Effect } from "effect"
import type { Decided } from "./Batch.ts"
import type { EpochMillis } from "./Timestamp.ts"
import type { Needs } from "./Needs.ts"
import type { WorkingSet } from "./WorkingSet.ts"

/** The store cannot read or commit now: its disk is full, its file locked, its server away. Nothing was applied. */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  operation: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message() {
    return `the store cannot ${this.operation} now`
  }
}

/** What one bounded step of housekeeping did. */
export interface Swept {
  /** Entries of deleted subjects that were erased, and entries that were past their window. */
  readonly entries: number
  /** Whether nothing is left to do for now. */
  readonly done: boolean
}

/** Where decided batches are kept: loads once and commits once, whatever the size of a batch. */
export class Store extends Context.Service<
  Store,
  {
    /** Everything that a batch names, and what those subjects lead to (`seenWith`), as one consistent view. */
    load(needs: Needs): Effect.Effect<WorkingSet, StoreUnavailable>
    /** Saves all that a batch wrote, durably, in one transaction: whole or not at all. */
    commit(decided: Decided): Effect.Effect<void, StoreUnavailable>
    /** Succeeds where a commit would. */
    readonly probe: Effect.Effect<void, StoreUnavailable>
    /** One bounded, resumable step of erasing what was deleted and pruning what is past its window. */
    sweep(now: EpochMillis): Effect.Effect<Swept, StoreUnavailable>
  }
>()("@inlet/core/Store") {}
