import type { DecidedBatch } from "@inlethq/core/Batch"
import {
  batchRows,
  segmentSizeRows,
  sizeRows,
  type AddressRows,
  type BatchRows,
  type LinkRow,
  type SubjectRows,
  type SuppressionRows,
} from "@inlethq/storage/rows/batchRows"
import { stateCodes } from "@inlethq/storage/columns/codes"
import type { KnownContexts } from "@inlethq/storage/rows/contextRows"
import type { LeafRows } from "@inlethq/storage/rows/leafRows"
import { SliceCounter, type Slices } from "@inlethq/core/Slices"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Database } from "../engine/Database.ts"
import { saveHead } from "../engine/heads.ts"
import { rowId, sqlWorkspace } from "../engine/rowIds.ts"
import { runOf } from "../log/runs.ts"
import type { RuleReader } from "../read/leafStates.ts"
import { contextNumbers } from "./contextNumbers.ts"
import { importErrorForgetter } from "./importErrors.ts"
import { rejectedCallWriter } from "./rejectedCalls.ts"
import type { SubjectCache } from "../read/SubjectCache.ts"

/** The largest number of rows that one slice writes. Writing these rows takes a few milliseconds. */
const rowsPerSlice = 500

/**
 * Saves the rows that a batch changed, each row once, in slices. Must run in the transaction that loaded the working
 * set. Saves nothing and returns false if the workspace was deleted.
 */
export const saveDecided = (
  database: Database,
  cache: SubjectCache,
  rules: RuleReader,
  known: KnownContexts,
): ((decided: DecidedBatch, firstNewKey: SubjectKey) => Slices<boolean>) => {
  const bind = database.prepare(
    "INSERT INTO identifiers (workspace, text, subject) VALUES (?, ?, ?) ON CONFLICT (workspace, text) DO UPDATE SET subject = excluded.subject WHERE subject <> excluded.subject",
  )
  const free = database.prepare("DELETE FROM identifiers WHERE workspace = ? AND text = ?")
  const saveSubjects = subjectWriter(database)
  const saveLinks = linkWriter(database)
  const saveSuppressions = suppressionWriter(database)
  const saveAddresses = addressWriter(database)
  const saveLeaves = leafWriter(database)
  const saveErasures = erasureWriter(database)
  const numberContexts = contextNumbers(database, known)
  const addContext = database.prepare(
    "INSERT INTO contexts (workspace, number, digest, json) VALUES (?, ?, ?, ?)",
  )
  const saveEntries = entryWriter(database)
  const saveRejectedCalls = rejectedCallWriter(database)
  const forgetImportErrors = importErrorForgetter(database)
  const save = saveHead(database)

  return function* (decided, firstNewKey) {
    const { state } = decided
    const { workspace } = state
    cache.evict(state)
    const rows = yield* batchRows(decided, firstNewKey, yield* numberContexts(state))
    const slice = new SliceCounter(rowsPerSlice)
    if (!save(workspace, rows.head)) return false
    for (const text of rows.identifiers.freed) {
      if (slice.isFull()) yield
      free.execute(workspace, text)
    }
    for (const { subject, text } of rows.identifiers.bound) {
      if (slice.isFull()) yield
      bind.execute(workspace, text, subject)
    }
    yield* saveSubjects(rows.subjects, slice)
    yield* saveLinks(rows.links, state, slice)
    saveSuppressions(workspace, rows.suppressions)
    saveAddresses(workspace, rows.addresses)
    rules.noteSaved(state, rows.leaves)
    yield* saveLeaves(workspace, rows.leaves, slice)
    yield* saveErasures(workspace, rows.erasures, slice)
    for (const { digest, json, number } of rows.contexts) {
      if (slice.isFull()) yield
      addContext.execute(workspace, number, digest, json)
    }
    yield* saveEntries(workspace, rows, slice)
    saveRejectedCalls(workspace, rows)
    forgetImportErrors(workspace, rows.erasedDigests)
    return true
  }
}

const subjectWriter = (database: Database): ((rows: SubjectRows, slice: SliceCounter) => Slices<void>) => {
  const columns = "id, state, owner, name, created, updated, doc"
  const insert = database.prepare(`INSERT INTO subjects (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`)
  // Unlike `replace`, this update does not touch any index. If the state code differs from the stored state code, the
  // update changes no row.
  const update = database.prepare(
    "UPDATE subjects SET created = ?, updated = ?, doc = ? WHERE id = ? AND state = ?",
  )
  const replace = database.prepare(
    `INSERT OR REPLACE INTO subjects (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const runWhole = (statement: typeof insert, row: SubjectRows["inserted"][number]): void => {
    const { created, doc, key, name, owner, state, updated, workspace } = row
    statement.execute(rowId(workspace, key), state, owner, name, created, updated, doc)
  }
  return function* ({ inserted, replaced, updated }, slice) {
    for (const row of inserted) {
      if (slice.isFull()) yield
      runWhole(insert, row)
    }
    for (const row of updated) {
      if (slice.isFull()) yield
      const id = rowId(row.workspace, row.key)
      const { changes } = update.run(row.created, row.updated, row.doc, id, row.state)
      if (changes === 0) runWhole(replace, row)
    }
    for (const row of replaced) {
      if (slice.isFull()) yield
      runWhole(replace, row)
    }
  }
}

const linkWriter = (
  database: Database,
): ((rows: ReadonlyArray<LinkRow>, state: WorkingSet, slice: SliceCounter) => Slices<void>) => {
  const link = database.prepare("INSERT OR IGNORE INTO links (workspace, target, subject) VALUES (?, ?, ?)")
  const unlink = database.prepare("DELETE FROM links WHERE workspace = ? AND target = ? AND subject = ?")
  const resize = database.prepare(
    "INSERT INTO sizes (id, size) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET size = size + excluded.size",
  )
  const resizeExisting = database.prepare("UPDATE sizes SET size = size + ? WHERE id = ?")
  const saveSegmentSize = database.prepare(`
    INSERT INTO segment_sizes (workspace, segment, day, size)
    SELECT ?1, ?2, ?3, coalesce((SELECT size FROM sizes WHERE id = ?4), 0) FROM subjects
    WHERE id = ?5 AND state = ${stateCodes.segment}
    ON CONFLICT (workspace, segment, day) DO UPDATE SET size = excluded.size`)
  return function* (rows, state, slice) {
    const { workspace } = state
    const changed: Array<LinkRow> = []
    for (const row of rows) {
      if (slice.isFull()) yield
      const { isLinked, subject, target } = row
      if ((isLinked ? link : unlink).run(workspace, target, subject).changes !== 0) changed.push(row)
    }
    const resized = sizeRows(changed, state)
    for (const { by, mayInsert, subject } of resized) {
      const id = rowId(workspace, subject)
      if (mayInsert) resize.execute(id, by)
      else resizeExisting.execute(by, id)
    }
    for (const { day, members, segment } of segmentSizeRows(resized, state)) {
      const id = rowId(workspace, segment)
      saveSegmentSize.execute(workspace, segment, day, rowId(workspace, members), id)
    }
  }
}

const suppressionWriter = (database: Database): ((workspace: WorkspaceId, rows: SuppressionRows) => void) => {
  const lift = database.prepare("DELETE FROM suppressions WHERE workspace = ? AND group_key = ?")
  const free = database.prepare("DELETE FROM suppressions WHERE workspace = ? AND digest = ?")
  const insert = database.prepare("INSERT INTO suppressions (workspace, digest, group_key) VALUES (?, ?, ?)")
  return (workspace, { freed, inserted, liftedGroups }) => {
    for (const group of liftedGroups) lift.execute(workspace, group)
    for (const digest of freed) free.execute(workspace, digest)
    for (const { digest, group } of inserted) insert.execute(workspace, digest, group)
  }
}

const addressWriter = (database: Database): ((workspace: WorkspaceId, rows: AddressRows) => void) => {
  const hold = database.prepare(
    "INSERT OR IGNORE INTO addressed (workspace, address, delivery) VALUES (?, ?, ?)",
  )
  const erase = database.prepare(
    "INSERT OR REPLACE INTO erased_addresses (workspace, address, subject, before) VALUES (?, ?, ?, ?)",
  )
  return (workspace, { erased, held }) => {
    for (const { address, delivery } of held) hold.execute(workspace, address, delivery)
    for (const { address, before, subject } of erased) erase.execute(workspace, address, subject, before)
  }
}

const erasureWriter = (
  database: Database,
): ((workspace: WorkspaceId, rows: BatchRows["erasures"], slice: SliceCounter) => Slices<void>) => {
  const expectReceipt = database.prepare(
    "INSERT OR IGNORE INTO erasure_receipts (workspace, at, position) VALUES (?, ?, ?)",
  )
  const saveErasure = database.prepare(
    "INSERT OR IGNORE INTO erasures (workspace, at, position, doc) VALUES (?, ?, ?, ?)",
  )
  const noticeForLake = database.prepare(`
    INSERT OR IGNORE INTO lake_erasures (workspace, position, subject, received)
    SELECT workspace, ?, ?, ? FROM log_cursors WHERE workspace = ? AND destination = 'lake' AND sequence > 0`)
  const tellForwards = database.prepare(`
    INSERT OR REPLACE INTO forward_names (workspace, position, forward, at, sealed)
    SELECT workspace, ?, id, ?, ? FROM forwards WHERE workspace = ?`)
  return function* (workspace, rows, slice) {
    for (const { at, doc, hasReceipt, position, repeatedOn, sealed } of rows) {
      if (slice.isFull()) yield
      saveErasure.execute(workspace, at, position, doc)
      if (hasReceipt) expectReceipt.execute(workspace, at, position)
      if (repeatedOn !== null) noticeForLake.execute(position, repeatedOn, at, workspace)
      if (sealed !== null) tellForwards.execute(position, at, sealed, workspace)
    }
  }
}

const leafWriter = (
  database: Database,
): ((workspace: WorkspaceId, rows: LeafRows, slice: SliceCounter) => Slices<void>) => {
  // An update that sets `due` writes the index of due times, even if the time stays the same, as it mostly does.
  const saveRing = database.prepare(
    "UPDATE leaf_states SET ring = ? WHERE workspace = ? AND subject = ? AND leaf = ?",
  )
  const save = database.prepare(
    "INSERT INTO leaf_states (workspace, subject, leaf, ring, due) VALUES (?, ?, ?, ?, ?) ON CONFLICT (workspace, subject, leaf) DO UPDATE SET ring = excluded.ring, due = excluded.due",
  )
  const remove = database.prepare("DELETE FROM leaf_states WHERE workspace = ? AND subject = ? AND leaf = ?")
  return function* (workspace, { removed, saved }, slice) {
    for (const { leaf, subject } of removed) {
      if (slice.isFull()) yield
      remove.execute(workspace, subject, leaf)
    }
    for (const { due, hasSameDue, leaf, ring, subject } of saved) {
      if (slice.isFull()) yield
      if (hasSameDue) saveRing.execute(ring, workspace, subject, leaf)
      else save.execute(workspace, subject, leaf, ring, due)
    }
  }
}

const entryWriter = (
  database: Database,
): ((
  workspace: WorkspaceId,
  rows: Pick<BatchRows, "entries" | "entryParts" | "releasedClaims">,
  slice: SliceCounter,
) => Slices<void>) => {
  const insert = database.prepare(
    "INSERT INTO activity (id, subject, kind, name, source, outcome, at, received, processed, claim, parts, detail, rule_code, reason_code, anonymous_code, sender, context) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  )
  const release = database.prepare(
    `UPDATE activity SET claim = NULL WHERE ${sqlWorkspace("id")} = ? AND claim = ?`,
  )
  const insertPart = database.prepare(
    "INSERT INTO entry_parts (workspace, sequence, subject, place, doc) VALUES (?, ?, ?, ?, ?)",
  )
  // A commit adds only the parts of entries to the timeline (the index of the log by
  // subject). Housekeeping adds the entries themselves later, many at a time (see timeline.ts).
  const addToTimeline = database.prepare(
    "INSERT OR IGNORE INTO timeline (workspace, run, subject, sequence) VALUES (?, ?, ?, ?)",
  )
  return function* (workspace, { entries, entryParts, releasedClaims }, slice) {
    for (const { doc, place, sequence, subject } of entryParts) {
      if (slice.isFull()) yield
      insertPart.execute(workspace, sequence, subject, place, doc)
      addToTimeline.execute(workspace, runOf(sequence), subject, sequence)
    }
    for (const row of entries) {
      if (slice.isFull()) yield
      if (row.claim !== null && releasedClaims.has(row.claim)) release.execute(workspace, row.claim)
      insert.execute(
        rowId(workspace, row.sequence),
        row.subject,
        row.kind,
        row.name,
        row.source,
        row.outcome,
        row.at,
        row.received,
        row.processed,
        row.claim,
        row.parts,
        row.detail,
        row.rule_code,
        row.reason_code,
        row.anonymous_code,
        row.sender,
        row.context,
      )
    }
  }
}
