import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, type Row } from "@inlethq/storage/columns/columns"
import { sequenceOf } from "@inlethq/storage/columns/ids"
import { lightColumns, lightColumnsWithoutCodes } from "@inlethq/storage/search/logFilter"
import type { ReadDatabase } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { rowId, rowIdRange, sqlNumber } from "../engine/rowIds.ts"
import { readFacets, readNamedRuns, type Facets } from "../log/facets.ts"
import type { OffsetBitmap } from "../log/OffsetBitmap.ts"
import { runEntries, runOf, type Order } from "../log/runs.ts"
import { readRanges, type LogRange } from "./logRanges.ts"

/** The largest number of runs that one statement looks at for people or objects. */
const skippedRunsMax = 256

/** The queries that a scan of the log uses. */
export interface LogReader {
  readonly range: (workspace: WorkspaceId, from: number, order: Order) => LogRange | undefined
  readonly facets: (workspace: WorkspaceId, run: number) => Facets
  readonly namedRun: (workspace: WorkspaceId, stored: string, from: number, order: Order) => number
  /**
   * Returns the next run, from a run on and in an order, with entries that are about one of the given people or objects, or
   * with an effect on one. If none of `skippedRunsMax` runs has any, returns the run after them.
   */
  readonly aboutRun: (
    workspace: WorkspaceId,
    keys: ReadonlyArray<SubjectKey>,
    from: number,
    order: Order,
  ) => number
  /**
   * Marks in a bitmap the entries of a run that are about one of the given people or objects. Returns the number of
   * these entries.
   */
  readonly about: (
    workspace: WorkspaceId,
    run: number,
    keys: ReadonlyArray<SubjectKey>,
    positions: OffsetBitmap,
  ) => number
  /**
   * Returns the first positions, in an order, of the entries in a part of a run that are about a person or object, or with
   * an effect on one.
   */
  readonly aboutOne: (
    workspace: WorkspaceId,
    key: SubjectKey,
    range: Positions,
    order: Order,
    limit: number,
  ) => ReadonlyArray<number>
  /**
   * Returns, within a range of log positions, the positions of entries about objects that also record an effect on one
   * of the given people.
   */
  readonly withParts: (
    workspace: WorkspaceId,
    keys: ReadonlyArray<SubjectKey>,
    range: Positions,
  ) => ReadonlySet<number>
  /**
   * Returns the entries of a workspace in a range of positions. Does not read their documents, and reads their codes only
   * if `withCodes`.
   */
  readonly light: (
    workspace: WorkspaceId,
    first: number,
    end: number,
    withCodes: boolean,
  ) => ReadonlyArray<Row>
  /** Returns those of the entries in a range of positions that SQLite finds without their codes. */
  readonly narrow: (workspace: WorkspaceId, range: Positions, by: Narrowed) => ReadonlyArray<Row>
}

export type Positions = Pick<LogRange, "first" | "end">

/** The conditions that SQLite checks itself, of which each can be null. */
export interface Narrowed {
  readonly name: string | null
  readonly about: { readonly keys: ReadonlyArray<SubjectKey>; readonly withParts: ReadonlySet<number> } | null
}

/** Prepares the queries with which the log is scanned. */
export const logReader = (database: ReadDatabase): LogReader => {
  const about = database.prepareByPlace(
    "SELECT found.sequence FROM json_each(?) AS wanted CROSS JOIN timeline AS found ON found.subject = wanted.value WHERE found.workspace = ? AND found.run = ?",
  )
  const oneIn = (order: Order) =>
    database.prepareByPlace(
      `SELECT sequence FROM timeline WHERE workspace = ? AND run = ? AND subject = ? AND sequence >= ? AND sequence < ? ORDER BY sequence ${order} LIMIT ?`,
    )
  const ofOne = { asc: oneIn("asc"), desc: oneIn("desc") }
  const withParts = database.prepareByPlace(
    "SELECT found.sequence FROM json_each(?) AS wanted CROSS JOIN timeline AS found ON found.subject = wanted.value WHERE found.workspace = ? AND found.run = ? AND found.sequence >= ? AND found.sequence < ?",
  )
  const lightOf = (columns: string) =>
    database.prepareByPlace(`SELECT ${sqlNumber("id")}, ${columns} FROM activity WHERE id >= ? AND id < ?`)
  const light = lightOf(lightColumns)
  const withoutCodes = lightOf(lightColumnsWithoutCodes)
  const narrow = database.prepareByPlace(`
    SELECT ${sqlNumber("id")}, ${lightColumnsWithoutCodes} FROM activity
    WHERE id >= ?1 AND id < ?2 AND (?3 IS NULL OR name = ?3) AND (
      ?4 IS NULL OR subject IN (SELECT value FROM json_each(?4)) OR id IN (SELECT value FROM json_each(?5))
    )`)
  return {
    range: readRanges(database),
    facets: readFacets(database),
    namedRun: readNamedRuns(database),
    aboutRun: aboutRuns(database),
    about: (workspace, run, keys, positions) => {
      const rows = about.all(`[${keys.join()}]`, workspace, run)
      for (const row of rows) positions.add(integer(row[0]) - run * runEntries)
      return rows.length
    },
    aboutOne: (workspace, key, { end, first }, order, limit) =>
      ofOne[order].all(workspace, runOf(first), key, first, end, limit).map((row) => integer(row[0])),
    withParts: (workspace, keys, { end, first }) => {
      const positions = new Set<number>()
      for (let run = runOf(first); run <= runOf(end - 1); run++) {
        const rows = withParts.all(`[${keys.join()}]`, workspace, run, first, end)
        for (const row of rows) positions.add(integer(row[0]))
      }
      return positions
    },
    light: (workspace, first, end, withCodes) =>
      (withCodes ? light : withoutCodes).all(...rowIdRange(workspace, first, end)),
    narrow: (workspace, { end, first }, { about: wanted, name }) => {
      const keys = wanted === null ? null : `[${wanted.keys.join()}]`
      const parts = Array.from(wanted?.withParts ?? [], (position) => rowId(workspace, sequenceOf(position)))
      return narrow.all(...rowIdRange(workspace, first, end), name, keys, JSON.stringify(parts))
    },
  }
}

const aboutRuns = (database: ReadDatabase): LogReader["aboutRun"] => {
  const headOf = readHead(database)
  const next = (step: string) =>
    database.prepareByPlace(`
      WITH RECURSIVE runs (run, place) AS (
        SELECT ?2, 1 UNION ALL SELECT run ${step}, place + 1 FROM runs WHERE place < ?3
      )
      SELECT run FROM runs WHERE EXISTS (
        SELECT 1 FROM json_each(?4) AS wanted CROSS JOIN timeline
        WHERE timeline.workspace = ?1 AND timeline.run = runs.run AND timeline.subject = wanted.value
      ) LIMIT 1`)
  const statements = { asc: next("+ 1"), desc: next("- 1") }
  return (workspace, keys, from, order) => {
    const rest = order === "asc" ? headOf(workspace).indexedRuns - from : from + 1
    const looked = Math.min(rest, skippedRunsMax)
    const row = statements[order].get(workspace, from, looked, `[${keys.join()}]`)
    if (row !== undefined) return integer(row[0])
    return order === "asc" ? from + looked : from - looked
  }
}
