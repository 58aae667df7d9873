import { LakeFiles, type LakeCommit } from "@inlethq/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { manifestOf, manifestText } from "@inlethq/lake/Manifest"
import { manifestPath } from "@inlethq/lake/layout"
import type { LakeTarget } from "@inlethq/lake/targets/LakeTarget"
import { Clock, Effect, Semaphore } from "effect"
import { CursorLost, ProgressUnknown } from "../follower/Destination.ts"

/** A lake that one reader writes, until another one claims its cursor. */
export interface OwnedLake {
  readonly workspace: WorkspaceId
  readonly token: number
  readonly target: LakeTarget
}

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
 * Commits files of a lake and publishes its manifest. Commits run one at a time, so that an older manifest never replaces a
 * newer one.
 */
export class LakeCommits {
  readonly lake: OwnedLake
  private readonly files: LakeFiles["Service"]
  private readonly turn: Semaphore.Semaphore
  /** A process may have ended between a commit and its manifest. */
  private isStale = true
  /** Whether the files may say wrongly to whom subjects belong, because entries that say it may be gone. */
  ownersMayDiffer = true

  private constructor(lake: OwnedLake, files: LakeFiles["Service"], turn: Semaphore.Semaphore) {
    this.lake = lake
    this.files = files
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

  /** Returns whether the manifest is that of the current files, whoever published it. */
  get isPublished() {
    return Effect.gen({ self: this }, function* () {
      const { target, workspace } = this.lake
      const current = manifestText(manifestOf(yield* this.files.files(workspace)))
      return (yield* target.readText(manifestPath(workspace))) === current
    }).pipe(this.turn.withPermits(1))
  }

  /** Publishes the manifest if it may be older than the last commit. */
  get publish() {
    return Effect.suspend(() => (this.isStale ? this.republish : Effect.void))
  }

  /** Publishes the manifest, whatever is published now. */
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
      this.isStale = false
    }).pipe(this.turn.withPermits(1))
  }
}
