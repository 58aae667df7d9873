import type { WorkspaceId } from "@inlet/core/Identifier"
import type { Workspace } from "@inlet/core/Workspace"

/** What is known of the requests of a workspace. */
interface Window {
  /** When the window began, in milliseconds. */
  from: number
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
  /** Whether this is the first request of its window beyond the limit. */
  readonly justExceeded: boolean
  /** Whether as many requests again as a window allows came beyond the limit, window after window. */
  readonly sustained: boolean
}

/** Counts the requests of each workspace in windows of fixed length (contract §15). */
export class RateMeter {
  private readonly windows = new Map<WorkspaceId, Window>()

  /** Counts one request at a time in milliseconds. */
  count({ id, limits }: Workspace, now: number): Rate {
    const { rateRequestsMax: limit, rateWindowSeconds: windowSeconds } = limits
    const lengthMs = windowSeconds * 1000
    const window = this.windowOf(id, now, lengthMs, limit)
    window.requests++
    const isExcess = window.requests > limit
    if (isExcess) window.excess++
    return {
      limit,
      remaining: Math.max(limit - window.requests, 0),
      windowSeconds,
      resetSeconds: Math.max(Math.ceil((window.from + lengthMs - now) / 1000), 1),
      justExceeded: window.requests === limit + 1,
      sustained: isExcess && window.excess > limit,
    }
  }

  private windowOf(id: WorkspaceId, now: number, lengthMs: number, limit: number): Window {
    const known = this.windows.get(id)
    if (known === undefined) {
      const made = { from: now, requests: 0, excess: 0 }
      this.windows.set(id, made)
      return made
    }
    const passed = now - known.from
    if (passed < lengthMs && passed >= 0) return known
    // Only a window that was exceeded, followed by the next one at once, lets the excess go on.
    if (known.requests <= limit || passed >= 2 * lengthMs || passed < 0) known.excess = 0
    known.from = now
    known.requests = 0
    return known
  }
}
