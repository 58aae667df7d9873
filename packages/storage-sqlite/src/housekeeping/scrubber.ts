import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { raiseCounter, readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { scrubPages } from "./scrubPages.ts"

/** After a pass, the next one waits this many times as long as the pass took, so scrubbing takes a tenth of the time. */
const waitPerPass = 9

/** The longest wait between two passes. It also bounds the effect of a clock that jumps. */
const waitMsMax = 60 * 60 * 1000

/**
 * Returns a function that scrubs the next pages. A pass is needed if data was erased after the last complete pass started. The
 * function returns true if nothing is left to do for now: no pass is needed, the next one has to wait, or another process is
 * reading the database. The counter `scrubbed` is stored at the end of a pass, so after a restart an interrupted pass starts from
 * the beginning.
 */
export const scrubber = (database: Database): ((now: EpochMillis) => boolean) => {
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  const scrub = scrubPages(database)
  let pass = { erasures: 0, nextPage: 1, startedAt: 0 }
  let waitUntil = 0

  return (now) => {
    const { erasures, scrubbed } = counters()
    if (erasures === scrubbed) return true
    if (pass.nextPage === 1) {
      const isWaiting = now < waitUntil && now >= waitUntil - waitMsMax
      if (isWaiting) return true
      pass = { erasures, nextPage: 1, startedAt: now }
    }
    const next = scrub(pass.nextPage)
    if (next === "busy") return true
    pass.nextPage = next === "end" ? 1 : next
    if (next !== "end") return false
    database.write(() => raise("scrubbed", pass.erasures))
    waitUntil = now + Math.min(Math.max(now - pass.startedAt, 0) * waitPerPass, waitMsMax)
    return pass.erasures === erasures
  }
}
