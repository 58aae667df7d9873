import { Context, Schema, type Effect } from "effect"
import { Sequence, SubjectKey, type WorkspaceId } from "../values/Identifier.ts"
import { dayMs, type EpochMillis } from "../values/Timestamp.ts"
import type { CursorKey } from "./LogCursors.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The tables of a lake. `people` and `objects` are snapshots, the others follow the log. */
export const LakeTable = Schema.Literals(["activity", "subjects", "erased", "people", "objects"])
export type LakeTable = typeof LakeTable.Type

/** The smallest and the largest value in a column of numbers or times, or null if no row has one. */
export const LakeBounds = Schema.Struct({
  column: Schema.NonEmptyString,
  min: Schema.NullOr(Schema.Finite),
  max: Schema.NullOr(Schema.Finite),
  /** How many rows have no value. */
  nulls: Schema.Int,
})
export type LakeBounds = typeof LakeBounds.Type

/** A file of a lake. Its contents never change: a later generation replaces it. */
export const LakeFile = Schema.Struct({
  table: LakeTable,
  /** The place of the file in its folder or bucket. */
  path: Schema.NonEmptyString,
  /** The positions of the log that the file covers. A snapshot shows the state after `to`. */
  from: Sequence,
  to: Sequence,
  /** The token of the reader that wrote the file. */
  generation: Schema.Int,
  rows: Schema.Int,
  /** The positions without a row because a deletion erased them, before the file was written or since. */
  erased: Schema.Int,
  /** The positions that the log no longer held when the file was written. */
  pruned: Schema.Int,
  bytes: Schema.Int,
  sha256: Schema.String,
  /** Lets engines skip the file. Texts have none, because bounds would outlive the rows of deleted people. */
  bounds: Schema.optionalKey(Schema.Array(LakeBounds)),
})
export type LakeFile = typeof LakeFile.Type

/** A file that a later generation has replaced. Its object is removed some time after. */
export interface ReplacedFile {
  readonly path: string
  readonly replacedAt: EpochMillis
}

/** A deletion whose rows are still in the files. */
export interface LakeErasure {
  /** The position of the deletion in the log. */
  readonly position: Sequence
  readonly subject: SubjectKey
  readonly receivedAt: EpochMillis
}

/** Positions of the log, both included. */
export interface PositionRange {
  readonly from: number
  readonly to: number
}

/** A file that was written again without the rows of somebody who was deleted, and the file that replaced it. */
export const LakeRewrite = Schema.Struct({
  table: LakeTable,
  from: Sequence,
  to: Sequence,
  path: Schema.NonEmptyString,
  sha256: Schema.String,
  newPath: Schema.NonEmptyString,
  newSha256: Schema.String,
})
export type LakeRewrite = typeof LakeRewrite.Type

/** What one transaction changes. */
export interface LakeCommit {
  readonly workspace: WorkspaceId
  /** The token with which the cursor of the lake was claimed. */
  readonly token: number
  readonly now: EpochMillis
  readonly added: ReadonlyArray<LakeFile>
  /** The paths of the files that the added ones replace. */
  readonly replaced: ReadonlyArray<string>
  /** The position to which the cursor moves, or null if it stays. */
  readonly to: Sequence | null
  /** Deletions that the files still have to follow. */
  readonly noticed: ReadonlyArray<LakeErasure>
  /** The positions of deletions that every file has followed. */
  readonly followed: ReadonlyArray<Sequence>
  /** The files that are replaced because of a deletion, with its position. */
  readonly rewritten: ReadonlyArray<{ readonly position: Sequence; readonly rewrite: LakeRewrite }>
}

export const lakeCursor = (workspace: WorkspaceId): CursorKey => ({ workspace, destination: "lake" })

/** The cursor that says up to which position somebody asked for complete files. Whichever node writes the lake reads it. */
export const lakeFlushCursor = (workspace: WorkspaceId): CursorKey => ({
  workspace,
  destination: "lake_flush",
})

/** The cursor that says up to which position somebody wants deletions to leave the files now. */
export const lakeRewriteCursor = (workspace: WorkspaceId): CursorKey => ({
  workspace,
  destination: "lake_rewrite",
})

/** The most erasures that one read returns. */
export const lakeErasuresMax = 1000

/** The most rewrites of one deletion that are returned. */
export const lakeRewritesMax = 1000

/** The days for which entries whose days are over stay until the lake has read them. */
export const heldDaysMax = 7

/**
 * Returns the receipt time before which housekeeping deletes entries. `since` is that time without a lake, and `unreadAt`
 * the receipt time of the first entry that the lake of the workspace has not read, or null.
 */
export const heldSince = (since: EpochMillis, unreadAt: EpochMillis | null): EpochMillis =>
  unreadAt === null ? since : Math.max(since - heldDaysMax * dayMs, Math.min(since, unreadAt))

/** Which files make up the lake of each workspace. A file without a row here is garbage. */
export class LakeFiles extends Context.Service<
  LakeFiles,
  {
    /** Returns the files of a lake, by table and position. */
    files(workspace: WorkspaceId): Effect.Effect<ReadonlyArray<LakeFile>, StoreUnavailable>
    /** Returns the files that were replaced, oldest first. */
    replaced(workspace: WorkspaceId): Effect.Effect<ReadonlyArray<ReplacedFile>, StoreUnavailable>
    /** Forgets replaced files whose objects are removed. */
    forget(workspace: WorkspaceId, paths: ReadonlyArray<string>): Effect.Effect<void, StoreUnavailable>
    /** Returns up to `lakeErasuresMax` deletions that files still have to follow, oldest first, of these positions or of all. */
    erasures(
      workspace: WorkspaceId,
      positions?: PositionRange,
    ): Effect.Effect<ReadonlyArray<LakeErasure>, StoreUnavailable>
    /** Returns up to `lakeRewritesMax` files that were written again because of a deletion whose receipt is not sealed, by path. */
    rewrites(
      workspace: WorkspaceId,
      position: Sequence,
    ): Effect.Effect<ReadonlyArray<LakeRewrite>, StoreUnavailable>
    /** Makes all erasures due now. */
    hasten(workspace: WorkspaceId): Effect.Effect<void, StoreUnavailable>
    /**
     * Saves files and moves the cursor of the lake, in one transaction that survives a power failure. Returns false and
     * changes nothing if the token is not the newest.
     */
    commit(commit: LakeCommit): Effect.Effect<boolean, StoreUnavailable>
  }
>()("@inlethq/core/ports/LakeFiles") {}
