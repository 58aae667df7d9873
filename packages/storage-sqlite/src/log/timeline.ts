import type { SubjectKey } from "@inlet/core/values/Identifier"
import { integer, type Row } from "@inlet/storage/columns"
import { raiseCounter, readCounters, type Counters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { indexFacets } from "./facets.ts"
import { runEntries, runOf, type Order } from "./runs.ts"

/*
 * The timeline tells which entries are about a subject. An index on the log itself would have each commit write a page for
 * almost every event in it, since subjects lie all over an index, and would have it write more of them the more history
 * there is. So whole runs of the log are indexed at a time, in the background: sorted by subject, and behind the run before.
 * Whoever asks for a subject looks into each run, and through the newest entries one by one. The facets
 * of a run are indexed with it.
 *
 * The parts of an entry are filed as it is committed, also in runs that are not indexed yet: their documents are written in
 * the same commit and cost as much.
 */

/** Runs that can be looked into at the cost of one row. */
const runsPerRow = 4

/** What it costs, in rows, to look for a subject in all runs. */
export const rowsPerLook = ({ indexedRuns }: Counters): number => 1 + Math.floor(indexedRuns / runsPerRow)

/** The positions of a subject's entries beyond `from` in an order, at most `count`; fewer only at the end. */
export type Timeline = (key: SubjectKey, from: number, order: Order, count: number) => ReadonlyArray<number>

/** Reads which entries are about a subject. */
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
 * Indexes the oldest run that is whole and is not indexed yet; false if there is none. A run takes two calls: its timeline
 * first, then its facets, as both take a few milliseconds.
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
