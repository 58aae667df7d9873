import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import type { DecidedBatch } from "@inlet/core/Batch"
import { deduplicationText, type SubjectKey } from "@inlet/core/values/Identifier"
import type { Subject } from "@inlet/core/state/Subject"
import type { WorkingSet } from "@inlet/core/WorkingSet"
import { addressWriter } from "../housekeeping/addressRemover.ts"
import { raiseCounter, raiseLatestReceipt } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { entryBindings, insertEntry } from "@inlet/storage/entryRows"
import { partWriter } from "../log/entryParts.ts"
import { linkWriter } from "./links.ts"
import type { Recent } from "../read/SubjectCache.ts"
import { toStored } from "@inlet/storage/storedText"
import { bindingsOf, columnsOf } from "@inlet/storage/subjectRows"
import { suppressionWriter } from "../read/suppressions.ts"

/** The next free key and position before a batch was decided. */
type Before = Pick<WorkingSet, "nextKey" | "nextSequence">

/** Saves what a batch wrote: each row once, in its final state. Runs within the transaction that loaded the batch. */
export const saveDecided = (
  database: Database,
  recent: Recent,
): ((decided: DecidedBatch, before: Before) => void) => {
  const raise = raiseCounter(database)
  const raiseReceipt = raiseLatestReceipt(database)
  const saveSubject = subjectWriter(database)
  const saveLinks = linkWriter(database)
  const saveAddresses = addressWriter(database)
  const saveEntry = entryWriter(database)
  const saveSuppressions = suppressionWriter(database)
  const bind = database.prepare(
    "INSERT INTO identifiers (text, subject) VALUES (?, ?) ON CONFLICT (text) DO UPDATE SET subject = excluded.subject WHERE subject <> excluded.subject",
  )
  const free = database.prepare("DELETE FROM identifiers WHERE text = ?")

  return ({ state: seen }, before) => {
    recent.forget(seen.written)
    for (const text of seen.written.identifiers) {
      const key = seen.identifiers.get(text)
      if (key === undefined) free.run(toStored(text))
      else bind.run(toStored(text), key)
    }
    for (const key of seen.written.subjects) {
      const subject = seen.subjects.get(key)
      if (subject !== undefined) saveSubject(subject, before.nextKey)
    }
    if (seen.written.links.size > 0) saveLinks(seen)
    saveSuppressions(seen)
    saveAddresses(seen)
    for (const entry of seen.written.entries) saveEntry(entry, seen.written.reassigned)
    if (seen.nextKey !== before.nextKey) raise("nextKey", seen.nextKey)
    if (seen.nextSequence !== before.nextSequence) raise("nextSequence", seen.nextSequence)
    for (const [workspace, at] of seen.latestReceipts) raiseReceipt(workspace, at)
  }
}

/** Saves one entry with its parts. An erased one that claimed the same deduplication key does so no more. */
const entryWriter = (
  database: Database,
): ((entry: ActivityEntry, reclaimed: ReadonlySet<string>) => void) => {
  const insert = database.prepare(insertEntry)
  const saveParts = partWriter(database)
  const unclaim = database.prepare("UPDATE activity SET claim = NULL WHERE claim = ?")
  return (entry, reclaimed) => {
    const { claimsId, id, workspace } = entry
    const text = claimsId && id !== null && reclaimed.size > 0 ? deduplicationText(workspace, id) : null
    if (text !== null && reclaimed.has(text)) unclaim.run(toStored(text))
    insert.run(...entryBindings(entry, entry.parts.length > 0 ? saveParts(entry) : null))
  }
}

/** Saves one subject; `nextKey` is the first key that no saved subject has. */
const subjectWriter = (database: Database): ((subject: Subject, nextKey: SubjectKey) => void) => {
  const columns = "workspace, state, owner, name, created, updated, doc, key"
  const insert = database.prepare(`INSERT INTO subjects (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  // Most subjects stay what they are, and then no index has to be told.
  const update = database.prepare(
    "UPDATE subjects SET created = ?, updated = ?, doc = ? WHERE key = ? AND state = ?",
  )
  const replace = database.prepare(
    `INSERT OR REPLACE INTO subjects (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return (subject, nextKey) => {
    const { key } = subject
    const values = columnsOf(subject)
    if (key >= nextKey) {
      insert.run(...bindingsOf(key, values))
      return
    }
    if (staysWhatItIs(subject)) {
      const { created, doc, state, updated } = values
      if (update.run(created, updated, doc, key, state).changes !== 0) return
    }
    replace.run(...bindingsOf(key, values))
  }
}

const staysWhatItIs = ({ _tag }: Subject): boolean =>
  _tag === "Person" || _tag === "DataObject" || _tag === "Delivery" || _tag === "Form"
