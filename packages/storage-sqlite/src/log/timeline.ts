import type { SubjectKey } from "@inlet/core/values/Identifier"
import { integer, type Row } from "@inlet/storage/columns"
import { raiseCounter, readCounters, type Counters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { indexFacets } from "./facets.ts"
import { runEntries, runOf, type Order } from "./runs.ts"

/*
 * The timeline is the index of the log by subject. With an SQLite index on the log, a commit would write about one page
 * per event, because the subjects of a batch are spread over the whole index. Instead, housekeeping adds whole runs
 * (4096 log positions each) to the timeline, each run sorted by subject. A reader looks the subject up in each run and
 * scans the newest entries, which are not in the timeline yet. The facets of a run are indexed together with it.
 *
 * Parts of entries are added to the timeline in the commit that records them, even before their run is indexed. The same
 * commit writes a document for each part at a similar cost.
 */

/** Looking a subject up in this many runs costs as much as reading one row. */
const runsPerRow = 4

/** Returns the cost of looking up a subject in all runs, in rows. */
export const rowsPerLook = ({ indexedRuns }: Counters): number => 1 + Math.floor(indexedRuns / runsPerRow)

/**
 * Returns the positions of up to `count` entries about a subject, starting after `from` in the given order. Returns
 * fewer positions only at the end of the log.
 */
export type Timeline = (key: SubjectKey, from: number, order: Order, count: number) => ReadonlyArray<number>

/** Reads the positions of entries about a subject. */
export const readTimeline = (database: Database): Timeline => {
  const counters = readCounters(database)
  const indexed = {
    asc: database.prepare(
      "SELECT sequence FROM timeline WHERE run = ? AND subject = ? AND sequence > ? ORDER BY sequence ASC LIMIT ?",
    ),
    desc: database.prepare(
      "SELECT sequence FROM timeline WHERE run = ? AND subject = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?",
    ),
  }
  const newest = {
    asc: database.prepare(
      "SELECT sequence FROM activity WHERE sequence > ? AND subject = ? ORDER BY sequence ASC LIMIT ?",
    ),
    desc: database.prepare(
      "SELECT sequence FROM activity WHERE sequence < ? AND sequence >= ? AND subject = ? ORDER BY sequence DESC LIMIT ?",
    ),
  }
  const ascending = (key: SubjectKey, from: number, count: number): ReadonlyArray<number> => {
    const { indexedRuns, nextSequence } = counters()
    const found: Array<number> = []
    for (let run = runOf(from); run < indexedRuns && found.length < count; run++) {
      found.push(...sequences(indexed.asc.all(run, key, from, count - found.length)))
    }
    if (found.length === count) return found
    const after = Math.max(from, indexedRuns * runEntries - 1)
    const rest = count - found.length
    const own = sequences(newest.asc.all(after, key, rest))
    const inParts: Array<number> = []
    for (let run = runOf(after + 1); run <= runOf(nextSequence) && inParts.length < rest; run++) {
      inParts.push(...sequences(indexed.asc.all(run, key, from, rest - inParts.length)))
    }
    found.push(...[...own, ...inParts].toSorted((a, b) => a - b).slice(0, rest))
    return found
  }

  const descending = (key: SubjectKey, from: number, count: number): ReadonlyArray<number> => {
    const { indexedRuns, nextSequence } = counters()
    const before = Math.min(from, nextSequence)
    const found = sequences(newest.desc.all(before, indexedRuns * runEntries, key, count))
    const inParts: Array<number> = []
    for (let run = runOf(before); run >= indexedRuns && inParts.length < count; run--) {
      inParts.push(...sequences(indexed.desc.all(run, key, before, count - inParts.length)))
    }
    if (inParts.length > 0) {
      found.push(...inParts)
      found.sort((a, b) => b - a)
      found.splice(count)
    }
    for (let run = Math.min(runOf(before), indexedRuns - 1); run >= 0 && found.length < count; run--) {
      found.push(...sequences(indexed.desc.all(run, key, before, count - found.length)))
    }
    return found
  }

  return (key, from, order, count) =>
    order === "asc" ? ascending(key, from, count) : descending(key, from, count)
}

const sequences = (rows: ReadonlyArray<Row>) => rows.map((row) => integer(row["sequence"]))

/**
 * Indexes the oldest complete run that is not indexed yet. Returns false if there is no such run. Each run needs two
 * calls, one for its timeline and one for its facets, because each of the two takes a few milliseconds.
 */
export const indexNextRun = (database: Database): (() => boolean) => {
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  const insert = database.prepare(`
    INSERT INTO timeline (run, subject, sequence)
    SELECT ?, subject, sequence FROM activity
    WHERE sequence >= ? AND sequence < ? AND subject IS NOT NULL
    ORDER BY subject, sequence`)
  const addFacets = indexFacets(database)
  return () => {
    const { indexedRuns: run, nextSequence, timelineRuns } = counters()
    const end = (run + 1) * runEntries
    if (nextSequence < end) return false
    if (timelineRuns === run) {
      insert.run(run, run * runEntries, end)
      raise("timelineRuns", run + 1)
    } else {
      addFacets(run)
      raise("indexedRuns", run + 1)
    }
    return true
  }
}
