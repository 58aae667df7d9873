import type { DecidedBatch } from "@inlet/core/Batch"
import {
  batchRows,
  sizeRows,
  type AddressRows,
  type BatchRows,
  type CounterRows,
  type CountersBefore,
  type LinkRow,
  type SubjectRows,
  type SuppressionRows,
} from "@inlet/storage/batchRows"
import { entryColumns } from "@inlet/storage/entryRows"
import type { WorkingSet } from "@inlet/core/WorkingSet"
import { raiseCounter, raiseLatestReceipt } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { runOf } from "../log/runs.ts"
import type { SubjectCache } from "../read/SubjectCache.ts"

/** Saves what a batch wrote, each row once. Runs in the transaction that loaded the batch. */
export const saveDecided = (
  database: Database,
  cache: SubjectCache,
): ((decided: DecidedBatch, before: CountersBefore) => void) => {
  const bind = database.prepare(
    "INSERT INTO identifiers (text, subject) VALUES (?, ?) ON CONFLICT (text) DO UPDATE SET subject = excluded.subject WHERE subject <> excluded.subject",
  )
  const free = database.prepare("DELETE FROM identifiers WHERE text = ?")
  const saveSubjects = subjectWriter(database)
  const saveLinks = linkWriter(database)
  const saveSuppressions = suppressionWriter(database)
  const saveAddresses = addressWriter(database)
  const saveEntries = entryWriter(database)
  const saveCounters = counterWriter(database)

  return (decided, before) => {
    const { state } = decided
    cache.evict(state.written)
    const rows = batchRows(decided, before)
    for (const { subject, text } of rows.identifiers.bound) bind.run(text, subject)
    for (const text of rows.identifiers.freed) free.run(text)
    saveSubjects(rows.subjects)
    saveLinks(rows.links, state.subjects)
    saveSuppressions(rows.suppressions)
    saveAddresses(rows.addresses)
    saveEntries(rows)
    saveCounters(rows.counters)
  }
}

const subjectWriter = (database: Database): ((rows: SubjectRows) => void) => {
  const columns = "key, workspace, state, owner, name, created, updated, doc"
  const insert = database.prepare(`INSERT INTO subjects (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  // Unlike `replace`, this update writes no index. It changes no row if the state of the subject has changed.
  const update = database.prepare(
    "UPDATE subjects SET created = ?, updated = ?, doc = ? WHERE key = ? AND state = ?",
  )
  const replace = database.prepare(
    `INSERT OR REPLACE INTO subjects (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const runWhole = (statement: typeof insert, row: SubjectRows["inserted"][number]): void => {
    const { created, doc, key, name, owner, state, updated, workspace } = row
    statement.run(key, workspace, state, owner, name, created, updated, doc)
  }
  return ({ inserted, replaced, updated }) => {
    for (const row of inserted) runWhole(insert, row)
    for (const row of updated) {
      const { changes } = update.run(row.created, row.updated, row.doc, row.key, row.state)
      if (changes === 0) runWhole(replace, row)
    }
    for (const row of replaced) runWhole(replace, row)
  }
}

const linkWriter = (
  database: Database,
): ((rows: ReadonlyArray<LinkRow>, subjects: WorkingSet["subjects"]) => void) => {
  const link = database.prepare("INSERT OR IGNORE INTO links (target, subject) VALUES (?, ?)")
  const unlink = database.prepare("DELETE FROM links WHERE target = ? AND subject = ?")
  const resize = database.prepare(
    "INSERT INTO sizes (subject, size) VALUES (?, ?) ON CONFLICT (subject) DO UPDATE SET size = size + excluded.size",
  )
  const resizeExisting = database.prepare("UPDATE sizes SET size = size + ? WHERE subject = ?")
  return (rows, subjects) => {
    if (rows.length === 0) return
    const changed = rows.filter(
      ({ isLinked, subject, target }) => (isLinked ? link : unlink).run(target, subject).changes !== 0,
    )
    for (const { by, mayInsert, subject } of sizeRows(changed, subjects)) {
      if (mayInsert) resize.run(subject, by)
      else resizeExisting.run(by, subject)
    }
  }
}

const suppressionWriter = (database: Database): ((rows: SuppressionRows) => void) => {
  const lift = database.prepare("DELETE FROM suppressions WHERE group_key = ?")
  const free = database.prepare("DELETE FROM suppressions WHERE digest = ?")
  const insert = database.prepare("INSERT INTO suppressions (digest, workspace, group_key) VALUES (?, ?, ?)")
  return ({ freed, inserted, liftedGroups }) => {
    for (const group of liftedGroups) lift.run(group)
    for (const digest of freed) free.run(digest)
    for (const { digest, group, workspace } of inserted) insert.run(digest, workspace, group)
  }
}

const addressWriter = (database: Database): ((rows: AddressRows) => void) => {
  const hold = database.prepare("INSERT OR IGNORE INTO addressed (address, delivery) VALUES (?, ?)")
  const erase = database.prepare(
    "INSERT OR REPLACE INTO erased_addresses (address, subject, before) VALUES (?, ?, ?)",
  )
  return ({ erased, held }) => {
    for (const { address, delivery } of held) hold.run(address, delivery)
    for (const { address, before, subject } of erased) erase.run(address, subject, before)
  }
}

const entryWriter = (
  database: Database,
): ((rows: Pick<BatchRows, "entries" | "entryParts" | "releasedClaims">) => void) => {
  const insert = database.prepare(
    `INSERT INTO activity (${entryColumns.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const release = database.prepare("UPDATE activity SET claim = NULL WHERE claim = ?")
  const insertPart = database.prepare(
    "INSERT INTO entry_parts (sequence, subject, place, doc) VALUES (?, ?, ?, ?)",
  )
  // Only parts are added to the timeline (the index by subject) here. Housekeeping adds entries later, many at a time
  // (see timeline.ts).
  const addToTimeline = database.prepare(
    "INSERT OR IGNORE INTO timeline (run, subject, sequence) VALUES (?, ?, ?)",
  )
  return ({ entries, entryParts, releasedClaims }) => {
    for (const row of entryParts) {
      const [sequence, subject] = row
      insertPart.run(...row)
      addToTimeline.run(runOf(sequence), subject, sequence)
    }
    for (const row of entries) {
      const claim = row[10]
      if (claim !== null && releasedClaims.has(claim)) release.run(claim)
      insert.run(...row)
    }
  }
}

const counterWriter = (database: Database): ((rows: CounterRows) => void) => {
  const raise = raiseCounter(database)
  const raiseReceipt = raiseLatestReceipt(database)
  return ({ latestReceipts, nextKey, nextSequence }) => {
    if (nextKey !== null) raise("nextKey", nextKey)
    if (nextSequence !== null) raise("nextSequence", nextSequence)
    for (const [workspace, at] of latestReceipts) raiseReceipt(workspace, at)
  }
}
