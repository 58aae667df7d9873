import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { Workspace } from "@inlet/core/workspace/Workspace"

/** What is known of the requests of a workspace. */
interface Window {
  /** When the window began, in milliseconds. */
  readonly from: number
  requests: number
  /** Requests beyond the limit in this window and in those right before it that were exceeded, too. */
  excess: number
}

/** What one request comes to. */
export interface Rate {
  readonly limit: number
  readonly remaining: number
  readonly windowSeconds: number
  /** Until the window ends. */
  readonly resetSeconds: number
  /** Whether as many requests again as a window allows came beyond the limit, window after window. */
  readonly sustained: boolean
}

/** A window that was exceeded, and when it ends. */
interface Exceeded {
  readonly workspace: Workspace
  readonly window: Window
  readonly endsAt: number
}

/** Exceeded windows that are remembered until somebody takes them; the newest are kept. */
const exceededMax = 1000

/** Counts the requests of each workspace in windows of fixed length (contract §15). */
export class RateMeter {
  private readonly windows = new Map<WorkspaceId, Window>()
  private exceeded: Array<Exceeded> = []

  /** Counts one request at a time in milliseconds. */
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

  /** Gives each exceeded window that ended by a time once, with all the requests that came in it. */
  takeExceeded(by: number): ReadonlyArray<{ readonly workspace: Workspace; readonly requests: number }> {
    const ended = this.exceeded.filter(({ endsAt }) => endsAt <= by)
    if (ended.length > 0) this.exceeded = this.exceeded.filter(({ endsAt }) => endsAt > by)
    return ended.map(({ window, workspace }) => ({ workspace, requests: window.requests }))
  }

  private windowOf(id: WorkspaceId, now: number, lengthMs: number, limit: number): Window {
    const known = this.windows.get(id)
    const passed = known === undefined ? lengthMs : now - known.from
    if (known !== undefined && passed < lengthMs && passed >= 0) return known
    // Only a window that was exceeded, followed by the next one at once, lets the excess go on.
    const goesOn = known !== undefined && known.requests > limit && passed < 2 * lengthMs && passed >= 0
    const made = { from: now, requests: 0, excess: goesOn ? known.excess : 0 }
    this.windows.set(id, made)
    return made
  }
}
