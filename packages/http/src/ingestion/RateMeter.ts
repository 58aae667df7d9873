import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Workspace } from "@inlethq/core/workspace/Workspace"

/** The current rate window of a workspace. */
interface Window {
  /** Start of the window, in epoch milliseconds. */
  readonly from: number
  requests: number
  /**
   * The number of requests beyond the limit. If the windows directly before this window exceeded the limit too, their
   * excess is included.
   */
  excess: number
}

/** The state of a workspace's rate limit after a request was counted. */
export interface Rate {
  readonly limit: number
  readonly remaining: number
  readonly windowSeconds: number
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number
  /**
   * True for a request beyond the limit if the excess is larger than the limit of one window. The excess includes the
   * excess of the exceeded windows directly before this window.
   */
  readonly sustained: boolean
}

/**
 * A rate window with more requests than the limit of the workspace, and the end of the window in epoch milliseconds.
 */
interface Exceeded {
  readonly workspace: Workspace
  readonly window: Window
  readonly endsAt: number
}

/**
 * The largest number of rate windows in `exceeded`, where they wait to be recorded. Beyond this number, the oldest
 * windows are dropped.
 */
const exceededMax = 1000

/** Counts the requests of each workspace in windows of fixed length (contract §15). */
export class RateMeter {
  private readonly windows = new Map<WorkspaceId, Window>()
  private exceeded: Array<Exceeded> = []

  /** Counts a request that arrived at `now`, in epoch milliseconds. */
  count(workspace: Workspace, now: number): Rate {
    const { id, limits } = workspace
    const { rateRequestsMax: limit, rateWindowSeconds: windowSeconds } = limits
    const lengthMs = windowSeconds * 1000
    const window = this.windowOf(id, now, lengthMs, limit)
    const endsAt = window.from + lengthMs
    window.requests++
    const isExcess = window.requests > limit
    if (isExcess) window.excess++
    if (window.requests === limit + 1) {
      if (this.exceeded.length >= exceededMax) this.exceeded.shift()
      this.exceeded.push({ workspace, window, endsAt })
    }
    return {
      limit,
      remaining: Math.max(limit - window.requests, 0),
      windowSeconds,
      resetSeconds: Math.max(Math.ceil((endsAt - now) / 1000), 1),
      sustained: isExcess && window.excess > limit,
    }
  }

  /**
   * Removes the rate windows that exceeded their limit and ended at `by` or earlier. Returns the workspace and the
   * number of requests of each window.
   */
  takeExceeded(by: number): ReadonlyArray<{ readonly workspace: Workspace; readonly requests: number }> {
    const ended = this.exceeded.filter(({ endsAt }) => endsAt <= by)
    if (ended.length > 0) this.exceeded = this.exceeded.filter(({ endsAt }) => endsAt > by)
    return ended.map(({ window, workspace }) => ({ workspace, requests: window.requests }))
  }

  private windowOf(id: WorkspaceId, now: number, lengthMs: number, limit: number): Window {
    const known = this.windows.get(id)
    const passed = known === undefined ? lengthMs : now - known.from
    if (known !== undefined && passed < lengthMs && passed >= 0) return known
    // The new window starts with the excess of the previous window, if the previous window exceeded the limit and ended
    // less than one window length ago.
    const carriesOver = known !== undefined && known.requests > limit && passed < 2 * lengthMs && passed >= 0
    const made = { from: now, requests: 0, excess: carriesOver ? known.excess : 0 }
    this.windows.set(id, made)
    return made
  }
}
