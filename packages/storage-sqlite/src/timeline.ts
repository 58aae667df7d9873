import type { SubjectKey, WorkspaceId } from "@inlet/core/Identifier"
import { integer, type Row } from "./columns.ts"
import { raiseCounter, readCounters, type Counters } from "./counters.ts"
import type { Database } from "./Database.ts"

/**
 * Entries that make a run of the timeline.
 *
 * The timeline tells which entries are about a subject. An index on the log itself would have each commit write a page for
 * almost every event in it, since subjects lie all over an index, and would have it write more of them the more history
 * there is. So whole runs of the log are indexed at a time, in the background: sorted by subject, and behind the run before.
 * Whoever asks for a subject looks into each run, and through the newest entries one by one. Of a workspace it is told in which
 * runs it has entries at all.
 */
export const runEntries = 8192

const runOf = (sequence: number): number => Math.floor(sequence / runEntries)

/** Runs that can be looked into at the cost of one row. */
const runsPerRow = 4

/** What it costs, in rows, to look for a subject in all runs. */
export const rowsPerLook = ({ indexedRuns }: Counters): number => 1 + Math.floor(indexedRuns / runsPerRow)

export type Order = "asc" | "desc"

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
    const { indexedRuns } = counters()
    const found: Array<number> = []
    for (let run = runOf(from); run < indexedRuns && found.length < count; run++) {
      found.push(...sequences(indexed.asc.all(run, key, from, count - found.length)))
    }
    const after = Math.max(from, indexedRuns * runEntries - 1)
    if (found.length < count) found.push(...sequences(newest.asc.all(after, key, count - found.length)))
    return found
  }

  const descending = (key: SubjectKey, from: number, count: number): ReadonlyArray<number> => {
    const { indexedRuns, nextSequence } = counters()
    const before = Math.min(from, nextSequence)
    const found = sequences(newest.desc.all(before, indexedRuns * runEntries, key, count))
    for (let run = Math.min(runOf(before), indexedRuns - 1); run >= 0 && found.length < count; run--) {
      found.push(...sequences(indexed.desc.all(run, key, before, count - found.length)))
    }
    return found
  }

  return (key, from, order, count) =>
    order === "asc" ? ascending(key, from, count) : descending(key, from, count)
}

const sequences = (rows: ReadonlyArray<Row>) => rows.map((row) => integer(row["sequence"]))

/** A stretch of the log that is looked through for a workspace: the positions from `first` on that lie before `end`. */
export interface Stretch {
  readonly first: number
  readonly end: number
}

/** The next stretch beyond a position, in an order, that may hold entries of a workspace. */
export type Stretches = (workspace: WorkspaceId, from: number, order: Order) => Stretch | undefined

/** Reads where a workspace has entries: run by run, and the newest, which are in no run yet, in one. */
export const readStretches = (database: Database): Stretches => {
  const counters = readCounters(database)
  const runs = {
    asc: database.prepare(
      "SELECT run FROM workspace_runs WHERE workspace = ? AND run >= ? ORDER BY run ASC LIMIT 1",
    ),
    desc: database.prepare(
      "SELECT run FROM workspace_runs WHERE workspace = ? AND run <= ? ORDER BY run DESC LIMIT 1",
    ),
  }
  const runIn = (workspace: WorkspaceId, order: Order, position: number): Stretch | undefined => {
    const row = runs[order].get(workspace, runOf(position))
    if (row === undefined) return undefined
    const run = integer(row["run"])
    return { first: run * runEntries, end: (run + 1) * runEntries }
  }

  const ascending = (workspace: WorkspaceId, from: number): Stretch | undefined => {
    const { indexedRuns, nextSequence } = counters()
    const newest = indexedRuns * runEntries
    const run = from + 1 < newest ? runIn(workspace, "asc", from + 1) : undefined
    const { end, first } = run ?? { first: newest, end: nextSequence }
    return from + 1 < end ? { first: Math.max(first, from + 1), end } : undefined
  }

  const descending = (workspace: WorkspaceId, from: number): Stretch | undefined => {
    const { indexedRuns, nextSequence } = counters()
    const newest = indexedRuns * runEntries
    const before = Math.min(from, nextSequence)
    if (before > newest) return { first: newest, end: before }
    const run = runIn(workspace, "desc", before - 1)
    return run === undefined ? undefined : { first: run.first, end: Math.min(run.end, before) }
  }

  return (workspace, from, order) =>
    order === "asc" ? ascending(workspace, from) : descending(workspace, from)
}

/** Indexes the oldest run that is whole and is not indexed yet; false where there is none. */
export const indexNextRun = (database: Database): (() => boolean) => {
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  const insert = database.prepare(`
    INSERT INTO timeline (run, subject, sequence)
    SELECT ?, subject, sequence FROM activity
    WHERE sequence >= ? AND sequence < ? AND subject IS NOT NULL
    ORDER BY subject, sequence`)
  const note = database.prepare(`
    INSERT INTO workspace_runs (workspace, run)
    SELECT DISTINCT workspace, ? FROM activity WHERE sequence >= ? AND sequence < ?`)
  return () => {
    const { indexedRuns, nextSequence } = counters()
    const end = (indexedRuns + 1) * runEntries
    if (nextSequence < end) return false
    insert.run(indexedRuns, indexedRuns * runEntries, end)
    note.run(indexedRuns, indexedRuns * runEntries, end)
    raise("indexedRuns", indexedRuns + 1)
    return true
  }
}

/** Removes an entry from the log and from the timeline. */
export const removeEntry = (database: Database): ((sequence: number, subject: number | null) => void) => {
  const ofLog = database.prepare("DELETE FROM activity WHERE sequence = ?")
  const ofTimeline = database.prepare("DELETE FROM timeline WHERE run = ? AND subject = ? AND sequence = ?")
  return (sequence, subject) => {
    ofLog.run(sequence)
    if (subject !== null) ofTimeline.run(runOf(sequence), subject, sequence)
  }
}
