import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, type Row } from "@inlethq/storage/columns/columns"
import { sequenceOf } from "@inlethq/storage/columns/ids"
import type { Database } from "../engine/Database.ts"
import { readHead, saveProgress, type Head } from "../engine/heads.ts"
import { rowIdRange, sqlNumber } from "../engine/rowIds.ts"
import { indexFacets } from "./facets.ts"
import { runEntries, runOf, type Order } from "./runs.ts"

/*
 * The timeline is the index of the log by subject. If it were an SQLite index on the log, a commit would write about
 * one page per event, because the subjects of a batch are spread over the whole index. Instead, housekeeping adds whole
 * runs to the timeline, each run sorted by subject. A reader looks the subject up in each run and scans the newest
 * entries, which are not in the timeline yet. After housekeeping has added a run to the timeline, a later step indexes
 * the run by kind, outcome and name.
 *
 * An entry about an object can have parts: its effects on single people. Unlike entries, parts are added to the
 * timeline at once, in the commit that records their entry. The cost is acceptable: this commit stores a document for
 * each part anyway, and the timeline row of the part costs about as much as that document.
 */

/**
 * The log is divided into runs of 4096 positions. Looking up a person or object in this many runs costs about as much as
 * reading one row.
 */
const runsPerRow = 4

/** Looking for a person or object in this many of the newest entries costs about as much as reading one row for erasing. */
const newestPerRow = 64

/**
 * Returns the cost of looking up a person or object in all indexed runs and in the newest entries, as a number of rows.
 */
export const rowsPerLook = ({ indexedRuns, nextSequence }: Head): number => {
  const newest = Math.max(nextSequence - indexedRuns * runEntries, 0)
  return 1 + Math.floor(indexedRuns / runsPerRow) + Math.floor(newest / newestPerRow)
}

/**
 * Returns the log positions of up to `count` entries about a person or object, starting after `from` in the given
 * order. Returns fewer positions only if the log has no more such entries.
 */
export type Timeline = (
  workspace: WorkspaceId,
  key: SubjectKey,
  from: number,
  order: Order,
  count: number,
) => ReadonlyArray<Sequence>

/** Reads the log positions of the entries about a person or object. */
export const readTimeline = (database: Database): Timeline => {
  const headOf = readHead(database)
  const indexed = {
    asc: database.prepare(
      "SELECT sequence FROM timeline WHERE workspace = ? AND run = ? AND subject = ? AND sequence > ? ORDER BY sequence ASC LIMIT ?",
    ),
    desc: database.prepare(
      "SELECT sequence FROM timeline WHERE workspace = ? AND run = ? AND subject = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?",
    ),
  }
  const newest = {
    asc: database.prepare(
      `SELECT ${sqlNumber("id")} AS sequence FROM activity WHERE id >= ? AND id < ? AND subject = ? ORDER BY id ASC LIMIT ?`,
    ),
    desc: database.prepare(
      `SELECT ${sqlNumber("id")} AS sequence FROM activity WHERE id >= ? AND id < ? AND subject = ? ORDER BY id DESC LIMIT ?`,
    ),
  }
  const ascending = (
    workspace: WorkspaceId,
    key: SubjectKey,
    from: number,
    count: number,
  ): ReadonlyArray<Sequence> => {
    const { indexedRuns, nextSequence } = headOf(workspace)
    const found: Array<Sequence> = []
    for (let run = runOf(from); run < indexedRuns && found.length < count; run++) {
      found.push(...sequences(indexed.asc.all(workspace, run, key, from, count - found.length)))
    }
    if (found.length === count) return found
    const after = Math.max(from, indexedRuns * runEntries - 1)
    const rest = count - found.length
    const own = sequences(newest.asc.all(...rowIdRange(workspace, after + 1, nextSequence), key, rest))
    const inParts: Array<Sequence> = []
    for (let run = runOf(after + 1); run <= runOf(nextSequence) && inParts.length < rest; run++) {
      inParts.push(...sequences(indexed.asc.all(workspace, run, key, from, rest - inParts.length)))
    }
    found.push(...[...own, ...inParts].toSorted((a, b) => a - b).slice(0, rest))
    return found
  }

  const descending = (
    workspace: WorkspaceId,
    key: SubjectKey,
    from: number,
    count: number,
  ): ReadonlyArray<Sequence> => {
    const { indexedRuns, nextSequence } = headOf(workspace)
    const before = Math.min(from, nextSequence)
    const found = sequences(
      newest.desc.all(...rowIdRange(workspace, indexedRuns * runEntries, before), key, count),
    )
    const inParts: Array<Sequence> = []
    for (let run = runOf(before); run >= indexedRuns && inParts.length < count; run--) {
      inParts.push(...sequences(indexed.desc.all(workspace, run, key, before, count - inParts.length)))
    }
    if (inParts.length > 0) {
      found.push(...inParts)
      found.sort((a, b) => b - a)
      found.splice(count)
    }
    for (let run = Math.min(runOf(before), indexedRuns - 1); run >= 0 && found.length < count; run--) {
      found.push(...sequences(indexed.desc.all(workspace, run, key, before, count - found.length)))
    }
    return found
  }

  return (workspace, key, from, order, count) =>
    order === "asc" ? ascending(workspace, key, from, count) : descending(workspace, key, from, count)
}

const sequences = (rows: ReadonlyArray<Row>) => rows.map((row) => sequenceOf(integer(row["sequence"])))

/**
 * Indexes the oldest complete run of a workspace that is not indexed yet. Returns false if every complete run is
 * indexed. Each run needs two calls, one for the index by subject and one for the index by kind, outcome and name,
 * because each of the two takes a few milliseconds.
 */
export const indexNextRun = (database: Database): ((workspace: WorkspaceId) => boolean) => {
  const headOf = readHead(database)
  const save = saveProgress(database)
  const insert = database.prepare(`
    INSERT INTO timeline (workspace, run, subject, sequence)
    SELECT ?, ?, subject, ${sqlNumber("id")} FROM activity
    WHERE id >= ? AND id < ? AND subject IS NOT NULL
    ORDER BY subject, id`)
  const addFacets = indexFacets(database)
  return (workspace) => {
    const { indexedRuns: run, nextSequence, timelineRuns } = headOf(workspace)
    const end = (run + 1) * runEntries
    if (nextSequence < end) return false
    if (timelineRuns === run) {
      insert.run(workspace, run, ...rowIdRange(workspace, run * runEntries, end))
      save(workspace, { timelineRuns: run + 1 })
    } else {
      addFacets(workspace, run)
      save(workspace, { indexedRuns: run + 1 })
    }
    return true
  }
}
