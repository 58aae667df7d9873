import { LakeFiles, lakeRewriteCursor, type LakeTable } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Sequence } from "@inlethq/core/values/Identifier"
import { dayMs } from "@inlethq/core/values/Timestamp"
import type { LakeSettings } from "@inlethq/core/workspace/LakeSettings"
import { tableIn } from "@inlethq/lake/layout"
import type { LakeFailed } from "@inlethq/lake/thread/LakeThread"
import { Clock, Effect } from "effect"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { joinFiles } from "./joinFiles.ts"
import type { LakeCommits } from "./LakeCommits.ts"
import { joinMs, maintainInterval, replacedMsMax } from "./lakeLimits.ts"
import { countFailure, showErasures } from "./lakeMetrics.ts"
import { OwnerRepairs } from "./OwnerRepairs.ts"
import { removeGarbage } from "./removeGarbage.ts"
import { rewriteErased } from "./rewriteErased.ts"
import { SnapshotSchedule } from "./writeSnapshot.ts"
import { monotonicMs } from "./monotonicMs.ts"

/**
 * Rewrites, joins and removes files of a lake, beside the writing of new ones. Ends when the cursor is lost, or when it is
 * unknown what is committed.
 */
export const maintainLake = Effect.fnUntraced(function* (maintenance: LakeMaintenance) {
  const { commits } = maintenance
  const { workspace } = commits.lake
  const snapshots = new SnapshotSchedule(commits)
  const waits = Effect.fnUntraced(function* ({ message }: LakeFailed | StoreUnavailable) {
    yield* countFailure
    if (message !== maintenance.failure)
      yield* Effect.logWarning("the files of a lake wait", { workspace, reason: message })
    maintenance.failure = message
  })
  // One after the other: people who are erased while a snapshot is written would come back with its files.
  const step = Effect.andThen(snapshots.step, maintenance.step).pipe(
    Effect.andThen(
      Effect.sync(() => {
        maintenance.failure = null
      }),
    ),
    Effect.catchTag(["LakeFailed", "StoreUnavailable"], waits),
  )
  yield* Effect.forever(Effect.andThen(step, Effect.sleep(maintainInterval))).pipe(
    Effect.catchTag(["CursorLost", "ProgressUnknown"], () => Effect.void),
    // Otherwise, the metrics would show the last erasures of a lake for ever.
    Effect.ensuring(showErasures(workspace, 0)),
  )
})

/** When a reader found that a replaced file is not named, and which snapshot its table showed then. */
interface Unnamed {
  readonly at: number
  readonly table: LakeTable | null
  readonly sequence: number
}

/** What keeps the files of one lake few, and without the rows of deleted people. */
export class LakeMaintenance {
  readonly commits: LakeCommits
  private readonly settings: LakeSettings
  /** Why the files could not be maintained last time, or null if they could. */
  failure: string | null = null
  private readonly owners: OwnerRepairs
  private joinedAt = -Infinity
  /** The current files have followed the deletions at these positions. The leftovers still contain their rows. */
  private rewritten: ReadonlySet<Sequence> = new Set()
  private leftovers: ReadonlySet<string> = new Set()
  /** Since when this reader knows that the manifest and the tables of Iceberg do not name a replaced file. */
  private readonly unnamedSince = new Map<string, Unnamed>()

  constructor(commits: LakeCommits, settings: LakeSettings) {
    this.commits = commits
    this.owners = new OwnerRepairs(commits)
    this.settings = settings
  }

  get step() {
    return Effect.gen({ self: this }, function* () {
      yield* this.followErasures
      yield* this.owners.step
      const now = yield* monotonicMs
      if (now - this.joinedAt < joinMs) return
      yield* joinFiles(this.commits)
      yield* this.removeReplaced(replacedMsMax)
      yield* removeGarbage(this.commits, yield* yield* TrustedTime)
      yield* this.commits.sweep
      this.joinedAt = now
    })
  }

  /**
   * Removes the rows of everybody who is gone from all files, in time before they are due. Deletions of several days are
   * followed together, because each of them may change every file. A deletion counts as followed once no object contains
   * its rows.
   */
  get followErasures() {
    return Effect.gen({ self: this }, function* () {
      const lake = yield* LakeFiles
      const { workspace } = this.commits.lake
      const waiting = yield* lake.erasures(workspace)
      yield* showErasures(workspace, waiting.length)
      const [oldest] = waiting
      if (oldest === undefined) return
      const now = yield* Clock.currentTimeMillis
      const cursors = yield* LogCursors
      const rewriteTo = (yield* cursors.position(lakeRewriteCursor(workspace))) ?? 0
      const hastened = waiting.filter(({ position, receivedAt }) => receivedAt === 0 || position <= rewriteTo)
      const isDue = now - oldest.receivedAt >= Math.max(0, this.settings.erasureDays - 1) * dayMs
      if (!isDue && hastened.length === 0) return
      // While old objects wait, more deletions arrive. These begin a scan of all files only after that.
      if ([oldest, ...hastened].some(({ position }) => !this.rewritten.has(position))) {
        yield* rewriteErased(this.commits, oldest.position)
        this.rewritten = new Set(waiting.map(({ position }) => position))
        this.leftovers = new Set((yield* lake.replaced(workspace)).map(({ path }) => path))
        yield* removeGarbage(this.commits, yield* yield* TrustedTime)
      }
      yield* this.removeReplaced(hastened.length > 0 ? 0 : replacedMsMax)
      if ((yield* lake.replaced(workspace)).some(({ path }) => this.leftovers.has(path))) return
      const followed = waiting.filter(({ position }) => this.rewritten.has(position))
      yield* this.followed(followed.map(({ position }) => position))
    })
  }

  private followed(positions: ReadonlyArray<Sequence>) {
    return this.commits.commit({
      followed: positions,
    })
  }

  /**
   * Removes the objects of replaced files that the manifest has not named for some time, after the snapshots of tables of Iceberg
   * that do. A reader may have died between the
   * replacement and the manifest, so the time of the replacement says nothing.
   */
  private removeReplaced(ageMs: number) {
    return Effect.gen({ self: this }, function* () {
      const { target, workspace } = this.commits.lake
      const lake = yield* LakeFiles
      const replaced = yield* lake.replaced(workspace)
      // A reader that has lost the cursor may have published last, and then ended.
      if (!(yield* this.commits.isPublished)) {
        yield* this.commits.republish
        this.unnamedSince.clear()
      }
      const now = yield* monotonicMs
      for (const { path } of replaced) {
        const table = tableIn(path)
        const sequence = table === null ? 0 : this.commits.sequenceOf(table)
        if (!this.unnamedSince.has(path)) this.unnamedSince.set(path, { at: now, table, sequence })
      }
      const old = replaced.filter(({ path }) => now - (this.unnamedSince.get(path)?.at ?? now) >= ageMs)
      if (old.length === 0) return
      const paths = old.map(({ path }) => path)
      yield* this.commits.expire(this.lastWith(paths))
      for (const path of paths) yield* target.remove(path)
      yield* lake.forget(workspace, paths)
      for (const path of paths) this.unnamedSince.delete(path)
    })
  }

  /** Returns from which snapshot on each table names none of some replaced files for sure. */
  private lastWith(paths: ReadonlyArray<string>): ReadonlyMap<LakeTable, number> {
    const found = new Map<LakeTable, number>()
    for (const path of paths) {
      const { sequence, table } = this.unnamedSince.get(path) ?? { sequence: 0, table: null }
      if (table !== null) found.set(table, Math.max(found.get(table) ?? 0, sequence))
    }
    return found
  }
}
