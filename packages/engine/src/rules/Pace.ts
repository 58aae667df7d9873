import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Clock, Effect } from "effect"
import { Turns } from "../reads/ReadTurns.ts"

/** The number of commits whose durations tell how long one takes by itself. */
const durationsKept = 16

/**
 * Paces commits of the server itself, so that requests get the rest of the time. While no other commits come between
 * them, they follow each other without a pause.
 */
export class Pace {
  private readonly share: number
  private readonly newest = new Map<WorkspaceId, Sequence>()
  private durations: ReadonlyArray<number> = []

  /** `share` is the part of the time that these commits may take while requests arrive. */
  constructor(share: number) {
    this.share = share
  }

  /** Runs a commit, and waits until the work for it was no more than the share of the time since it began. */
  run<E, R>(
    workspace: WorkspaceId,
    commit: Effect.Effect<ReadonlyArray<ActivityEntry>, E, R>,
  ): Effect.Effect<ReadonlyArray<ActivityEntry>, E, R> {
    return Effect.gen({ self: this }, function* () {
      const turns = yield* Turns
      const from = yield* Clock.currentTimeNanos
      const before = turns.committedMs
      const entries = yield* commit
      const tookMs = Number((yield* Clock.currentTimeNanos) - from) / 1e6
      const pauseMs = this.pauseAfter(tookMs, turns.committedMs - before)
      yield* this.isAlone(workspace, entries) ? Effect.yieldNow : Effect.sleep(pauseMs)
      return entries
    })
  }

  /**
   * Returns the pause after a commit that took some time. `measuredMs` is what the thread has worked meanwhile for this commit and
   * the few beside it; 0 if the store does not measure it.
   */
  private pauseAfter(tookMs: number, measuredMs: number): number {
    if (measuredMs > 0) return Math.max(0, measuredMs / this.share - tookMs)
    return this.workIn(tookMs) * (1 / this.share - 1)
  }

  /**
   * Returns how much of a duration the thread has worked for the commit, and has not waited or served requests: at most as
   * long as the quicker ones of the last commits took. A pause for the rest would slow builds down most when the machine is
   * busy.
   */
  private workIn(tookMs: number): number {
    this.durations = [...this.durations, tookMs].slice(-durationsKept)
    const quick = this.durations.toSorted((a, b) => a - b)[Math.floor(this.durations.length / 4)]
    return Math.min(tookMs, quick ?? tookMs)
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
