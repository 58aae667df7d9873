import { secondMs, type EpochMillis } from "@inlethq/core/values/Timestamp"

/** The most requests with one app key in a second, on each node. */
export const requestsPerSecondMax = 100

/** The most keys whose requests are counted. Beyond it, all counts begin again. */
const countedKeysMax = 10_000

interface Second {
  readonly begunAt: EpochMillis
  requests: number
}

/** Counts the requests of each app key in seconds. */
export class AppRateMeter {
  private readonly seconds = new Map<string, Second>()

  /** Counts a request. Returns the seconds to wait if the key has sent too many, otherwise null. */
  count(keyId: string, now: EpochMillis): number | null {
    const known = this.seconds.get(keyId)
    if (known === undefined || now >= known.begunAt + secondMs || now < known.begunAt) {
      if (this.seconds.size >= countedKeysMax) this.seconds.clear()
      this.seconds.set(keyId, { begunAt: now, requests: 1 })
      return null
    }
    if (known.requests < requestsPerSecondMax) {
      known.requests++
      return null
    }
    return Math.max(1, Math.ceil((known.begunAt + secondMs - now) / secondMs))
  }
}
