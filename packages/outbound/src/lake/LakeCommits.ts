import { LakeFiles, type LakeCommit, type LakeTable } from "@inlethq/core/ports/LakeFiles"
import { manifestOf, manifestText } from "@inlethq/lake/Manifest"
import { manifestPath } from "@inlethq/lake/layout"
import { Clock, Effect, Semaphore } from "effect"
import { CursorLost, ProgressUnknown } from "../follower/Destination.ts"
import { IcebergTables } from "./IcebergTables.ts"
import type { OwnedLake } from "./OwnedLake.ts"

const hasGoneEntries = ({ added = [], noticed = [] }: Partial<Changes>): boolean =>
  noticed.length > 0 || added.some(({ erased, pruned }) => erased + pruned > 0)

type Changes = Omit<LakeCommit, "workspace" | "token" | "now">

const noChanges: Changes = {
  added: [],
  replaced: [],
  to: null,
  noticed: [],
  followed: [],
  rewritten: [],
}

/**
 * Commits files of a lake and publishes its manifest, and the same files as tables of Iceberg. Commits run one at a time, so that an older manifest never replaces a
 * newer one.
 */
export class LakeCommits {
  readonly lake: OwnedLake
  private readonly files: LakeFiles["Service"]
  private readonly iceberg: IcebergTables
  private readonly turn: Semaphore.Semaphore
  /** A process may have ended between a commit and its manifest. */
  private isStale = true
  /** Whether the files may say wrongly to whom subjects belong, because entries that say it may be gone. */
  ownersMayDiffer = true

  private constructor(lake: OwnedLake, files: LakeFiles["Service"], turn: Semaphore.Semaphore) {
    this.lake = lake
    this.files = files
    this.iceberg = new IcebergTables(lake, files)
    this.turn = turn
  }

  static readonly make = Effect.fnUntraced(function* (lake: OwnedLake) {
    return new LakeCommits(lake, yield* LakeFiles, yield* Semaphore.make(1))
  })

  /** Commits files that are in their places. What is not given does not change. */
  commit(changes: Partial<Changes>) {
    const { token, workspace } = this.lake
    return Effect.gen({ self: this }, function* () {
      const now = yield* Clock.currentTimeMillis
      if (!(yield* this.files.commit({ ...noChanges, ...changes, workspace, token, now })))
        return yield* new CursorLost()
      this.isStale = true
      if (hasGoneEntries(changes)) this.ownersMayDiffer = true
    }).pipe(
      // The files may be committed. To write them again under the same token would replace their objects.
      Effect.catchTag("StoreUnavailable", ({ message }) => new ProgressUnknown({ message })),
      this.turn.withPermits(1),
      Effect.uninterruptible,
    )
  }

  /** Returns whether the manifest and the tables are those of the current files, whoever published them. */
  get isPublished() {
    return Effect.gen({ self: this }, function* () {
      const { target, workspace } = this.lake
      const current = manifestText(manifestOf(yield* this.files.files(workspace)))
      if ((yield* target.readText(manifestPath(workspace))) !== current) return false
      return yield* this.iceberg.isPublished
    }).pipe(this.turn.withPermits(1))
  }

  /** The sequence number of the snapshot that a table of Iceberg shows. */
  sequenceOf(table: LakeTable): number {
    return this.iceberg.sequenceOf(table)
  }

  /** Ends the snapshots of tables of Iceberg before those with some sequence numbers. */
  expire(before: ReadonlyMap<LakeTable, number>) {
    return this.iceberg.expire(before).pipe(this.turn.withPermits(1))
  }

  /** Removes what tables of Iceberg do not name. */
  get sweep() {
    return this.iceberg.sweep.pipe(this.turn.withPermits(1))
  }

  /** Publishes the manifest and the tables if they may be older than the last commit. */
  get publish() {
    return Effect.suspend(() => (this.isStale ? this.republish : Effect.void))
  }

  /** Publishes the manifest and the tables, whatever is published now. */
  get republish() {
    return Effect.gen({ self: this }, function* () {
      const { target, workspace } = this.lake
      let published: string | null = null
      for (;;) {
        const current = manifestText(manifestOf(yield* this.files.files(workspace)))
        if (current === published) break
        yield* target.putText(manifestPath(workspace), current)
        // Another reader may have claimed the cursor, committed and published while this manifest was on its way. Whoever
        // writes last looks again, so the newest manifest stays.
        published = current
      }
      yield* this.iceberg.publish
      this.isStale = false
    }).pipe(this.turn.withPermits(1))
  }
}
