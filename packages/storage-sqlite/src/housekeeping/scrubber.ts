import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { raiseCounter, readCounters, saveLastScrub } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { scrubPages } from "./scrubPages.ts"

/**
 * The wait after a scrubbing pass is this many times as long as the pass took, so that scrubbing takes about a tenth of
 * the time.
 */
const waitPerPass = 9

/** The longest wait between two scrubbing passes. This limit also bounds how long a wrong clock can delay a pass. */
const waitMsMax = 60 * 60 * 1000

/**
 * Returns a function that, at each call, scrubs (overwrites erased data in) the next few pages of the database file. A
 * pass over the whole file is needed if data was erased after the last complete pass began. The function returns true if
 * it has nothing to do now: no pass is needed, the next pass has to wait, or another process is reading the database.
 * The progress of a pass is only in memory, so a pass that a restart interrupts begins again with the first page.
 */
export const scrubber = (database: Database): ((now: EpochMillis) => boolean) => {
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  const scrub = scrubPages(database)
  const savePages = saveLastScrub(database)
  let pass = { erasures: 0, nextPage: 1, startedAt: 0, searched: 0, overwritten: 0 }
  let waitUntil = 0

  return (now) => {
    const { erasures, scrubbed } = counters()
    if (erasures === scrubbed) return true
    if (pass.nextPage === 1) {
      const isWaiting = now < waitUntil && now >= waitUntil - waitMsMax
      if (isWaiting) return true
      pass = { erasures, nextPage: 1, startedAt: now, searched: 0, overwritten: 0 }
    }
    const scrubbedPages = scrub(pass.nextPage)
    if (scrubbedPages === "busy") return true
    const { cleared, next, searched } = scrubbedPages
    pass.searched += searched
    pass.overwritten += cleared
    pass.nextPage = next ?? 1
    if (next !== null) return false
    database.write(() => {
      raise("scrubbed", pass.erasures)
      savePages(pass)
    })
    waitUntil = now + Math.min(Math.max(now - pass.startedAt, 0) * waitPerPass, waitMsMax)
    return pass.erasures === erasures
  }
}
