import { Context, Schema, type Effect } from "effect"
import type { DecidedBatch } from "../Batch.ts"
import { WorkspaceId, type SubjectKey } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"
import type { Needs } from "../fold/Needs.ts"
import { NodeUnfit } from "./NodeFitness.ts"
import type { UploadPart } from "./Upload.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import type { Slices } from "../Slices.ts"
import { storeTexts } from "../log/operationTexts.ts"

/**
 * The store cannot read or commit, for example because the disk is full or the file is locked. Nothing was applied,
 * with one exception: if the connection to a database server broke during a commit, the commit may have been applied.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  operation: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message() {
    if (this.cause instanceof NodeUnfit) return this.cause.message
    return storeTexts.unavailable({ operation: this.operation })
  }
}

/** The workspace of a batch was deleted. Nothing was applied. */
export class WorkspaceDeleted extends Schema.TaggedError<WorkspaceDeleted>()("WorkspaceDeleted", {
  workspace: WorkspaceId,
}) {
  override get message() {
    return storeTexts.workspaceDeleted({ workspace: this.workspace })
  }
}

/** The limits of the batches that a store accepts. */
export interface BatchLimits {
  /**
   * The milliseconds for which a batch waits for further requests before it begins. If this is 0, or if other
   * workspaces wait for a turn, the batch contains only the requests that have already arrived.
   */
  readonly gatherMs: number
  /**
   * The largest number of batches that are being written at the same time. These batches belong to different
   * workspaces.
   */
  readonly writingMax: number
  /** The largest number of batches that are being written, or were written and are not durable yet. */
  readonly inFlightMax: number
  /**
   * Returns the number of batches into which a long queue of one workspace is divided. The number is above 1 if batches
   * become durable slowly. Several of these batches are then in flight at the same time.
   */
  readonly spreadOver: () => number
}

/** A person with a leaf of a rule that has to be evaluated, because its truth may have changed at the time `at`. */
export interface DuePerson {
  readonly workspace: WorkspaceId
  readonly person: SubjectKey
  readonly at: EpochMillis
}

/** People and visitors in a range of keys, without its ends. */
export interface HolderRange {
  readonly after: number
  readonly before: SubjectKey
  /** The object to which they are related, or null for all people and visitors. */
  readonly relatedTo: SubjectKey | null
}

/** The key of a build (`RuleBuild`) of a workspace. */
export interface BuildKey {
  readonly workspace: WorkspaceId
  readonly build: SubjectKey
}

/** The time for a sweep that only erases: by it nothing is old enough to be deleted for its age. */
export const nothingIsOld: EpochMillis = 0

/** The result of one step of housekeeping. */
export interface Swept {
  /** The number of log entries that the step erased or pruned. */
  readonly entries: number
  /** True if the step left no work in the workspaces that it examined. */
  readonly done: boolean
}

/**
 * The interface to durable state. A batch loads once and commits once, whatever its size. A batch reads and writes data
 * of one workspace only.
 */
export class Store extends Context.Service<
  Store,
  {
    readonly batchLimits: BatchLimits
    /**
     * Loads the rows for the keys in `needs`, calls `decide`, and saves the result, all in one transaction. Succeeds
     * when the transaction is written, with a second effect that waits until the transaction is durable. Do not show
     * the result to anybody before then. The store may write the next batch before this batch is durable. If this batch
     * is then lost, the next batch fails too.
     *
     * `decide` must be pure: if the transaction conflicts with another writer, the store loads the rows again and calls
     * `decide` again. `decide` runs in slices, so that a large batch does not block the thread for long. A store may
     * also run the slices without a pause.
     */
    transact(
      needs: Needs,
      decide: (state: WorkingSet) => Slices<DecidedBatch>,
    ): Effect.Effect<
      Effect.Effect<DecidedBatch, StoreUnavailable | WorkspaceDeleted>,
      StoreUnavailable | WorkspaceDeleted
    >
    /**
     * Returns the working set with the rows for the keys in `needs`, as one consistent view of committed state. Does
     * not change the store.
     */
    view(needs: Needs): Effect.Effect<WorkingSet, StoreUnavailable>
    /** Succeeds if the store can commit at the moment. */
    readonly probe: Effect.Effect<void, StoreUnavailable>
    /** The size of the stored data in bytes, including free pages. Null if the store keeps its data in memory. */
    readonly size: Effect.Effect<number | null, StoreUnavailable>
    /**
     * Registers a part of an upload durably, unless a part with the same name is already registered. Returns the digest
     * that is registered for the name. This digest differs from the digest of `part` if the name was used for another
     * file in the last 30 days.
     */
    registerUpload(part: UploadPart): Effect.Effect<string, StoreUnavailable | WorkspaceDeleted>
    /**
     * Returns people with leaves of rules that are due at `now`, each once, at most `limit`. Those that have been due
     * longest come first. They stay due until a `FollowTime` command about them is committed.
     */
    due(now: EpochMillis, limit: number): Effect.Effect<ReadonlyArray<DuePerson>, StoreUnavailable>
    /** Returns the builds of rules, those of each workspace in the order of their keys. */
    readonly building: Effect.Effect<ReadonlyArray<BuildKey>, StoreUnavailable>
    /**
     * Returns the keys of people and visitors in a range, in order, at most `limit`.
     */
    holders(
      workspace: WorkspaceId,
      range: HolderRange,
      limit: number,
    ): Effect.Effect<ReadonlyArray<SubjectKey>, StoreUnavailable>
    /**
     * Runs one bounded step of housekeeping: erases deleted data and deleted workspaces, and prunes expired data. Can be interrupted and
     * resumed. Workspaces take turns, so that no workspace delays the housekeeping of the others for ever.
     */
    sweep(now: EpochMillis): Effect.Effect<Swept, StoreUnavailable>
  }
>()("@inlethq/core/ports/Store") {}
