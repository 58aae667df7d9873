import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import { Clock, Effect } from "effect"

/**
 * Paces commits of the server itself, so that requests get the rest of the time. While no other commits come between
 * them, they follow each other without a pause.
 */
export class Pace {
  private readonly share: number
  private readonly newest = new Map<WorkspaceId, Sequence>()

  /** `share` is the part of the time that these commits may take while requests arrive. */
  constructor(share: number) {
    this.share = share
  }

  /** Runs a commit, and waits for as long as the share demands. */
  run<E, R>(
    workspace: WorkspaceId,
    commit: Effect.Effect<ReadonlyArray<ActivityEntry>, E, R>,
  ): Effect.Effect<void, E, R> {
    return Effect.gen({ self: this }, function* () {
      const from = yield* Clock.currentTimeNanos
      const entries = yield* commit
      const tookMs = Number((yield* Clock.currentTimeNanos) - from) / 1e6
      yield* this.isAlone(workspace, entries) ? Effect.yieldNow : Effect.sleep(tookMs * (1 / this.share - 1))
    })
  }

  /** Returns whether nobody else has written to the workspace since the last commit. */
  private isAlone(workspace: WorkspaceId, entries: ReadonlyArray<ActivityEntry>): boolean {
    const [first, last] = [entries[0], entries.at(-1)]
    if (first === undefined || last === undefined) return true
    const before = this.newest.get(workspace)
    this.newest.set(workspace, last.sequence)
    return before === first.sequence - 1
  }
}
