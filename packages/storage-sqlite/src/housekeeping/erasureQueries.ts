import { dayMs } from "@inlethq/core/values/Timestamp"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { eventsPerEntryMax } from "@inlethq/core/webhook/EventPosition"
import { outcomeCodes, stateCodes } from "@inlethq/storage/columns/codes"
import { integer, integerOrNull, text, type Row } from "@inlethq/storage/columns/columns"
import { sequenceIn } from "@inlethq/storage/rows/entryRows"
import type { ErasureQueries, VisitorEntry } from "@inlethq/storage/erasing/ErasureQueries"
import { sqlHistorySince, textsOfVisitor } from "@inlethq/storage/erasing/erasurePlan"
import { subjectKey, workspaceId } from "@inlethq/storage/columns/ids"
import { sliceBytesMax } from "@inlethq/storage/budgets/ReadBudget"
import { sqlCallsKeptSince } from "@inlethq/storage/rows/rejectedCallRows"
import { erasedDocumentIn } from "@inlethq/storage/rows/subjectRows"
import { Effect } from "effect"
import type { Database } from "../engine/Database.ts"
import { readHead, saveProgress } from "../engine/heads.ts"
import { rowId, rowIdRange, sqlNumber, sqlRowId, sqlWorkspace } from "../engine/rowIds.ts"
import { statementsOn } from "../engine/tables.ts"
import { callForgetter } from "../log/callForgetter.ts"
import { eraseEntries } from "../log/eraseEntries.ts"
import { indexFacets } from "../log/facets.ts"
import { runEntries, runOf } from "../log/runs.ts"
import { readTimeline, rowsPerLook } from "../log/timeline.ts"
import { activityColumns } from "../read/queries.ts"
import type { SubjectCache } from "../read/SubjectCache.ts"
import { subjectColumns } from "../read/subjects.ts"
import { sqlUnreadByLake } from "./unreadByLake.ts"

/** Prepares the statements of housekeeping. What may be erased is evicted from the cache. */
export const erasureQueries = (database: Database, cache: SubjectCache): ErasureQueries<never> => ({
  ask: statementsOn(database),
  ...subjectQueries(database, cache),
  ...linkQueries(database),
  ...entryQueries(database),
  ...visitorQueries(database, cache),
  ...logQueries(database),
})

type Queries<Name extends keyof ErasureQueries<never>> = Pick<ErasureQueries<never>, Name>

const subjectQueries = (
  database: Database,
  cache: SubjectCache,
): Queries<"rowsPerSubject" | "nextDeleted" | "saveDocument" | "postpone" | "removeSubject"> => {
  const next = nextDeleted(database)
  const save = database.prepare("UPDATE subjects SET doc = ? WHERE id = ?")
  const postpone = database.prepare(
    `UPDATE subjects SET state = ${stateCodes.stillNamed}, doc = ? WHERE id = ?`,
  )
  const remove = subjectRemover(database)
  return {
    rowsPerSubject: 1,
    nextDeleted: Effect.sync(() => {
      const row = next()
      if (row === undefined) return undefined
      cache.clear()
      return {
        workspace: workspaceId(integer(row["workspace"])),
        key: subjectKey(integer(row["key"])),
        state: integer(row["state"]),
        document: erasedDocumentIn(row),
      }
    }),
    saveDocument: (workspace, key, doc) => Effect.sync(() => save.run(doc, rowId(workspace, key))),
    postpone: (workspace, key, doc) => Effect.sync(() => postpone.run(doc, rowId(workspace, key))),
    removeSubject: (workspace, key) => Effect.sync(() => remove(workspace, key)),
  }
}

/** From the sides of both people, dismissed pairs are at most `dismissalsMax`. */
const subjectRemover = (database: Database): ((workspace: WorkspaceId, key: SubjectKey) => void) => {
  const forgetLeaves = database.prepare("DELETE FROM leaf_states WHERE workspace = ? AND subject = ?")
  const forgetByOthers = database.prepare(`
    DELETE FROM dismissals WHERE workspace = ?1 AND other = ?2
      AND subject IN (SELECT other FROM dismissals WHERE workspace = ?1 AND subject = ?2)`)
  const forgetDismissals = database.prepare("DELETE FROM dismissals WHERE workspace = ? AND subject = ?")
  const removeSize = database.prepare("DELETE FROM sizes WHERE id = ?")
  const removeDays = database.prepare("DELETE FROM segment_sizes WHERE workspace = ? AND segment = ?")
  const removeSubject = database.prepare("DELETE FROM subjects WHERE id = ?")
  return (workspace, key) => {
    forgetLeaves.run(workspace, key)
    forgetByOthers.run(workspace, key)
    forgetDismissals.run(workspace, key)
    removeSize.run(rowId(workspace, key))
    removeDays.run(workspace, key)
    removeSubject.run(rowId(workspace, key))
  }
}

/**
 * Returns a function that reads the next deleted person, object or segment. The workspaces take turns. Skips deleted
 * workspaces, because `workspaceEraser` erases everything in them.
 */
const nextDeleted = (database: Database): (() => Row | undefined) => {
  const next = database.prepare(`
    SELECT ${sqlWorkspace("id")} AS workspace, ${sqlNumber("id")} AS key, state, doc FROM subjects
    WHERE (state = ${stateCodes.erased} OR state = ${stateCodes.stillNamed}) AND ${sqlWorkspace("id")} >= ?
    ORDER BY ${sqlWorkspace("id")}, state, id LIMIT 1`)
  const erasing = database.prepare("SELECT 1 FROM heads WHERE workspace = ? AND deleted_at IS NOT NULL")
  let turn = 0
  /** Returns the first row of a workspace with this id or a larger id that is not deleted. */
  const nextFrom = (workspace: number): Row | undefined => {
    const row = next.get(workspace)
    const found = integer(row?.["workspace"] ?? 0)
    return row === undefined || erasing.get(found) === undefined ? row : nextFrom(found + 1)
  }
  return () => {
    const row = nextFrom(turn) ?? nextFrom(0)
    if (row !== undefined) turn = integer(row["workspace"]) + 1
    return row
  }
}

const linkQueries = (database: Database): Queries<"linksTo" | "saveCleaned" | "addressedTo"> => {
  const linked = `found.id = ${sqlRowId("links.workspace", "links.subject")}`
  const linksTo = database.prepare(`
    SELECT links.subject AS linked, links.cleaned AS cleaned, coalesce(octet_length(found.doc), 0) AS bytes, ${subjectColumns}
    FROM links LEFT JOIN subjects AS found ON ${linked}
    WHERE links.workspace = ? AND links.target = ? ORDER BY links.subject LIMIT ?`)
  const save = database.prepare("UPDATE subjects SET doc = ? WHERE id = ?")
  const unlink = database.prepare("DELETE FROM links WHERE workspace = ? AND target = ? AND subject = ?")
  const addressedTo = database.prepare(`
    SELECT ${subjectColumns}, addressed.cleaned AS cleaned FROM addressed
    CROSS JOIN subjects AS found ON found.id = ${sqlRowId("addressed.workspace", "addressed.delivery")}
    WHERE addressed.workspace = ? AND addressed.address = ? AND addressed.delivery > ?
    ORDER BY addressed.delivery LIMIT ?`)
  return {
    linksTo: (workspace, target, limit) =>
      Effect.sync(() => {
        const found = linksTo.iterate(workspace, target, limit)
        const { isCut, rows } = cut(found, ({ bytes }) => integer(bytes))
        return { rows, isAll: !isCut && rows.length < limit }
      }),
    saveCleaned: (workspace, target, cleaned) =>
      Effect.sync(() => {
        for (const { doc, key } of cleaned) {
          if (doc !== null) save.run(doc, rowId(workspace, key))
          unlink.run(workspace, target, key)
        }
      }),
    addressedTo: (workspace, address, after, limit) =>
      Effect.sync(() => addressedTo.all(workspace, address, after, limit)),
  }
}

/** Reads rows up to and including the one with which their total size reaches `sliceBytesMax`. */
const cut = (found: Iterable<Row>, bytesOf: (row: Row) => number) => {
  const rows: Array<Row> = []
  let bytes = 0
  for (const row of found) {
    rows.push(row)
    bytes += bytesOf(row)
    if (bytes >= sliceBytesMax) return { rows, isCut: true }
  }
  return { rows, isCut: false }
}

/** Counts at most `limit` parts of the entry `found`. */
const countedParts = (limit: string): string => `
  CASE WHEN found.parts IS NULL THEN 0 ELSE (
    SELECT count(*) FROM (
      SELECT 1 FROM entry_parts
      WHERE workspace = ${sqlWorkspace("found.id")} AND sequence = ${sqlNumber("found.id")} LIMIT ${limit}
    )
  ) END AS parts_count`

const entryQueries = (
  database: Database,
): Queries<
  "rowsPerLook" | "entriesOf" | "erase" | "saveDetails" | "clearNames" | "attemptsOf" | "saveAnswers"
> => {
  const headOf = readHead(database)
  const timeline = readTimeline(database)
  const entriesAt = database.prepare(
    `SELECT ${activityColumns}, ${countedParts("?2")} FROM json_each(?1) AS wanted CROSS JOIN activity AS found ON found.id = wanted.value`,
  )
  const erase = eraseEntries(database)
  const saveDetail = database.prepare("UPDATE activity SET detail = ? WHERE id = ?")
  const forget = callForgetter(database)
  const attempts = database.prepare(`
    SELECT webhook, webhook_attempts.key AS key, doc FROM json_each(?) AS erased
    CROSS JOIN webhook_attempts ON workspace = ? AND position BETWEEN erased.value * ${eventsPerEntryMax}
      AND erased.value * ${eventsPerEntryMax} + ${eventsPerEntryMax - 1}`)
  const saveAnswer = database.prepare(
    "UPDATE webhook_attempts SET doc = ? WHERE workspace = ? AND webhook = ? AND key = ?",
  )
  return {
    rowsPerLook: (workspace) => Effect.sync(() => rowsPerLook(headOf(workspace))),
    entriesOf: (workspace, subject, { before, from }, count) =>
      Effect.sync(() => {
        const found = timeline(workspace, subject, from, "asc", count)
        const positions = found.filter((sequence) => sequence < before)
        const ids = JSON.stringify(positions.map((position) => rowId(workspace, position)))
        const { isCut, rows } = cut(entriesAt.iterate(ids, count), ({ detail }) => text(detail).length)
        const last = isCut ? rows.map(sequenceIn).at(-1) : positions.at(-1)
        return {
          rows,
          to: last ?? from,
          isAll: !isCut && positions.length < count,
        }
      }),
    erase: (workspace, erasures) => Effect.sync(() => erase(workspace, erasures)),
    saveDetails: (workspace, details) =>
      Effect.sync(() => {
        for (const { detail, sequence } of details) saveDetail.run(detail, rowId(workspace, sequence))
      }),
    clearNames: (workspace, sequences) =>
      Effect.sync(() => {
        for (const sequence of sequences) forget(workspace, sequence)
      }),
    attemptsOf: (workspace, sequences) =>
      Effect.sync(() => attempts.all(JSON.stringify(sequences), workspace)),
    saveAnswers: (workspace, answers) =>
      Effect.sync(() => {
        for (const { doc, key, webhook } of answers) saveAnswer.run(doc, workspace, webhook, key)
      }),
  }
}

const visitorQueries = (
  database: Database,
  cache: SubjectCache,
): Queries<"expiredVisitors" | "entriesOfVisitors" | "removeVisitors"> => {
  const oldest = database.prepare(
    `SELECT ${subjectColumns} FROM subjects AS found WHERE state = ${stateCodes.anonymous} AND updated < ? ORDER BY updated LIMIT ?`,
  )
  const headOf = readHead(database)
  const timeline = readTimeline(database)
  const subjectOf = database.prepareByPlace("SELECT subject FROM activity WHERE id = ?")
  const removeSubject = database.prepare("DELETE FROM subjects WHERE id = ?")
  const forgetLeaves = database.prepare("DELETE FROM leaf_states WHERE workspace = ? AND subject = ?")
  const free = database.prepare("DELETE FROM identifiers WHERE workspace = ? AND text = ? AND subject = ?")
  const unlink = database.prepare("DELETE FROM links WHERE workspace = ? AND target = ? AND subject = ?")
  const shrink = database.prepare("UPDATE sizes SET size = size - 1 WHERE id = ?")
  return {
    expiredVisitors: (seenBefore, limit) =>
      Effect.sync(() => {
        const { rows } = cut(oldest.iterate(seenBefore, limit), ({ doc }) => text(doc).length)
        const [first] = rows
        if (first === undefined) return []
        cache.clear()
        const others = rows.findIndex((row) => row["workspace"] !== first["workspace"])
        // Looking for the entries of one visitor can cost as much as the whole step.
        const visitorsMax = Math.floor(limit / rowsPerLook(headOf(workspaceId(integer(first["workspace"])))))
        return rows.slice(0, Math.min(others === -1 ? limit : others, Math.max(visitorsMax, 1)))
      }),
    entriesOfVisitors: (workspace, keys, count) =>
      Effect.sync(() => {
        const entries: Array<VisitorEntry> = []
        let cost = 0
        for (const key of keys) {
          if (entries.length === count) break
          cost += rowsPerLook(headOf(workspace))
          for (const sequence of timeline(workspace, key, 0, "asc", count - entries.length)) {
            const isOwn = subjectOf.get(rowId(workspace, sequence))?.[0] === key
            entries.push({ key, sequence, isOwn })
          }
        }
        return { entries, cost }
      }),
    removeVisitors: (workspace, visitors) =>
      Effect.sync(() => {
        for (const visitor of visitors) {
          const { key, relationships } = visitor
          for (const stored of textsOfVisitor(visitor)) free.run(workspace, stored, key)
          for (const object of relationships.keys()) {
            if (unlink.run(workspace, object, key).changes !== 0) shrink.run(rowId(workspace, object))
          }
          forgetLeaves.run(workspace, key)
          removeSubject.run(rowId(workspace, key))
        }
      }),
  }
}

/**
 * The largest number of runs that one step of housekeeping deletes or prunes completely. Each run may have a thousand
 * facets (index rows by kind, outcome and name).
 */
const runsPerStep = 2

/** Returns the first position that a step leaves to the next one if it begins at this position. */
const endOfStep = (first: number): number => (runOf(first) + runsPerStep) * runEntries

const setting = (name: string): string =>
  `(SELECT json_extract(doc, '$.${name}') FROM workspaces WHERE id = ?1)`

const keptSinceSql = `
  SELECT ${sqlHistorySince("?2", setting("historyDays"), setting("retentionDays"))} AS history,
    ?2 - ${dayMs} * ${setting("retentionDays")} AS retention, ${sqlUnreadByLake} AS unread`

const callsKeptSince = sqlCallsKeptSince("?2", setting("rejectedDays"), setting("retentionDays"))

const logQueries = (
  database: Database,
): Queries<"keptSince" | "oldEntries" | "prunedTo" | "savePrunedTo" | "logBeginsAt" | "removeOldCalls"> => {
  const kept = database.prepare(keptSinceSql)
  const oldest = database.prepare(`
    SELECT ${sqlNumber("found.id")} AS sequence, kind, outcome, received, ${countedParts("?3")},
      outcome = ${outcomeCodes.rejected} AND EXISTS (
        SELECT 1 FROM rejected_calls WHERE workspace = ${sqlWorkspace("found.id")} AND sequence = ${sqlNumber("found.id")}
      ) AS has_call
    FROM activity AS found WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3`)
  const headOf = readHead(database)
  const save = saveProgress(database)
  const reindex = indexFacets(database)
  const removeFacets = database.prepare("DELETE FROM facets WHERE workspace = ? AND run < ?")
  const removeCounts = database.prepare("DELETE FROM log_counts WHERE workspace = ? AND block < ?")
  const removeCalls = database.prepare(`
    DELETE FROM rejected_calls WHERE workspace = ?1 AND sequence IN (
      SELECT sequence FROM rejected_calls WHERE workspace = ?1 AND received < ${callsKeptSince} ORDER BY received LIMIT ?3
    ) RETURNING sequence`)
  return {
    keptSince: (workspace, now) =>
      Effect.sync(() => {
        const row = kept.get(workspace, now)
        return {
          history: integer(row?.["history"]),
          retention: integerOrNull(row?.["retention"] ?? null),
          unread: integerOrNull(row?.["unread"] ?? null),
        }
      }),
    oldEntries: (workspace, after, receivedBefore, limit) =>
      Effect.sync(() => {
        const rows: Array<Row> = []
        let to = after ?? 0
        let end = after === null ? undefined : endOfStep(after + 1)
        const { nextSequence } = headOf(workspace)
        for (const row of oldest.iterate(...rowIdRange(workspace, to + 1, nextSequence), limit)) {
          if (integer(row["received"]) >= receivedBefore) break
          const sequence = sequenceIn(row)
          end ??= endOfStep(sequence)
          if (sequence >= end) return { rows, to: end - 1, isCut: true }
          rows.push(row)
          to = sequence
        }
        return { rows, to, isCut: false }
      }),
    prunedTo: (workspace) => Effect.sync(() => headOf(workspace).prunedTo),
    savePrunedTo: (workspace, prunedTo) =>
      Effect.sync(() => {
        const before = headOf(workspace)
        save(workspace, { prunedTo })
        // Pruning has passed the ends of these runs. Index them again, so that their facets (indexes by kind, outcome
        // and name) and their counts do not contain the removed entries.
        const end = Math.min(runOf(prunedTo + 1), before.indexedRuns)
        for (let run = runOf(before.prunedTo + 1); run < end; run++) reindex(workspace, run)
      }),
    logBeginsAt: (workspace, position) =>
      Effect.sync(() => {
        removeFacets.run(workspace, runOf(position))
        removeCounts.run(workspace, runOf(position))
      }),
    removeOldCalls: (workspace, now, limit): Effect.Effect<ReadonlyArray<Sequence>> =>
      Effect.sync(() => removeCalls.all(workspace, now, limit).map(sequenceIn)),
  }
}
