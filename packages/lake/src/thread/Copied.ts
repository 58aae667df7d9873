import type { LakeErasure } from "@inlethq/core/ports/LakeFiles"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Finished } from "./ParquetFile.ts"

/** The local files of a range of positions. */
export interface RangePaths {
  /** Also names the range. */
  readonly activity: string
  readonly subjects: string
  readonly erased: string
}

/** Asks to copy the next entries of a log into the files of a range. The first entry opens the range. */
export interface ToCopy {
  readonly workspace: WorkspaceId
  /** Every entry up to this position is in a file. */
  readonly after: Sequence | null
  readonly paths: RangePaths
  /** How many entries the range has, which fails if they were lost with the thread. */
  readonly entries: number
  /** The most pages of `Catalog.follow` that are read. */
  readonly pagesMax: number
}

/** What is in the files of a range so far. */
export interface RangeState {
  readonly rows: number
  readonly erased: number
  /** The bytes that are on the disk. */
  readonly bytes: number
  readonly firstAt: EpochMillis
  readonly subjects: number
  readonly deletions: number
}

export interface Copied {
  /** Every entry up to this position is in a file. */
  readonly to: Sequence | null
  readonly caughtUp: boolean
  /** Whether the next entry is of a later day, so that the range must end at `to`. */
  readonly dayEnds: boolean
  readonly rows: number
  /** The receipt time of the first entry that was copied, or null if there was none. */
  readonly firstAt: EpochMillis | null
  /** Null as long as the range has no entries. */
  readonly range: RangeState | null
  /** How long the copying took, without waiting for other requests. */
  readonly ms: number
  /** Why the store could not be read beyond `to`, or null if it could. */
  readonly unavailable: { readonly operation: string; readonly cause: string } | null
}

/** The complete files of a range. */
export interface Closed {
  readonly activity: Finished
  /** Null if no subject changed. */
  readonly subjects: Finished | null
  /** Null if nobody was deleted. */
  readonly erased: Finished | null
  readonly deletions: ReadonlyArray<LakeErasure>
}
