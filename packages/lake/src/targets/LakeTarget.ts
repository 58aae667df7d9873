import type { Effect, Scope } from "effect"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { LakeFailed } from "../thread/LakeThread.ts"

/** An object of a target. */
export interface StoredObject {
  readonly path: string
  readonly writtenAt: EpochMillis
}

/** Where the files of a lake are: a folder or a bucket. Paths are those of `layout.ts`. */
export interface LakeTarget {
  /** The folder or the bucket as readers name it. The paths of objects follow after a slash. */
  readonly root: string
  /** A folder for files that are being written, on the disk of this node. */
  readonly workFolder: string
  /** Makes the folders that writing needs, and lets only those read them who may. */
  prepare(folder: string): Effect.Effect<void, LakeFailed>
  /** Moves a complete file of the work folder to its place. It survives a power failure from then on. */
  put(path: string, file: string, sha256: string): Effect.Effect<void, LakeFailed>
  /** Writes a small text, so that readers see either the old or the new one. */
  putText(path: string, text: string): Effect.Effect<void, LakeFailed>
  /**
   * Writes a small text unless there is one already, and returns whether it did. Of several writers, one succeeds. Some buckets
   * cannot tell: then the last one does.
   */
  putNew(path: string, text: string): Effect.Effect<boolean, LakeFailed>
  readText(path: string): Effect.Effect<string | null, LakeFailed>
  /** Returns a local file with the contents of an object, for as long as the scope is open. */
  local(path: string): Effect.Effect<string, LakeFailed, Scope.Scope>
  /** Removes an object. One that does not exist is no error. */
  remove(path: string): Effect.Effect<void, LakeFailed>
  /** Lists the objects below a folder. */
  list(folder: string): Effect.Effect<ReadonlyArray<StoredObject>, LakeFailed>
}
