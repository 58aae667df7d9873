import type { Digest } from "@inlet/core/ports/Digest"
import { activityRetentionMs, isEventKind, isPermanent } from "@inlet/core/log/ActivityEntry"
import { deviceText, identifierText, type SubjectKey } from "@inlet/core/values/Identifier"
import type { Swept } from "@inlet/core/ports/Store"
import { isExpiredVisitor } from "@inlet/core/state/Subject"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { addressRemover } from "./addressRemover.ts"
import { kindOf, objectKindCodes, outcomeOf, stateCodes } from "@inlet/storage/codes"
import { integer, integerOrNull, text } from "@inlet/storage/columns"
import { raiseCounter, readCounters } from "../engine/counters.ts"
import { indexFacets } from "../log/facets.ts"
import type { Database } from "../engine/Database.ts"
import { redacted } from "@inlet/storage/entryRows"
import { partRemover, removeEntry } from "../log/entryParts.ts"
import type { Recent } from "../read/SubjectCache.ts"
import { toStored } from "@inlet/storage/storedText"
import { scrubStep } from "./scrub.ts"
import { erasedDoc, readErasedDoc, subjectKey, subjectOf, type ErasedDoc } from "@inlet/storage/subjectRows"
import { runOf } from "../log/runs.ts"
import { indexNextRun, readTimeline, rowsPerLook } from "../log/timeline.ts"
import { referenceRemover } from "./referenceRemover.ts"

/** Rows that one step looks at; it blocks the thread for a few milliseconds. */
const sweepRowsMax = 500

/** What one step may still do, and what it has done. */
interface Step {
  rowsLeft: number
  entries: number
  /** Whether something of somebody who was deleted went. */
  erased: boolean
}

/**
 * One bounded step of housekeeping. Every step is a transaction that leaves behind where to go on, so that the next one
 * may as well be in another process.
 */
export const sweepStep = (
  database: Database,
  recent: Recent,
  digest: Digest["Service"],
  rowsMax: number = sweepRowsMax,
): ((now: EpochMillis) => Swept) => {
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  const erase = eraser(database, recent, digest)
  const forget = forgetter(database, recent)
  const prune = pruner(database)
  const index = indexNextRun(database)
  const scrub = scrubber(database)

  return (now) => {
    const step: Step = { rowsLeft: rowsMax, entries: 0, erased: false }
    const indexed = database.write(() => {
      erase(step)
      forget(step, now)
      prune(step, now)
      if (step.erased) raise("erasures", counters().erasures + 1)
      return index()
    })
    return { entries: step.entries, done: step.rowsLeft > 0 && !indexed && scrub() }
  }
}

/**
 * Takes what was erased out of the files, too, a number of pages at a time. True once nothing is left to do for now:
 * who holds on to the database from outside has to let go first.
 */
const scrubber = (database: Database): (() => boolean) => {
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  const scrub = scrubStep(database)
  let pass = { erasures: 0, next: 1 }

  return () => {
    const { erasures, scrubbed } = counters()
    if (erasures === scrubbed) return true
    if (pass.next === 1) pass = { erasures, next: 1 }
    const next = scrub(pass.next)
    if (next === "held") return true
    pass.next = next === "end" ? 1 : next
    if (next !== "end") return false
    database.write(() => raise("scrubbed", pass.erasures))
    return pass.erasures === erasures
  }
}

/**
 * Removes the entries of everybody who was deleted, then what names them in the documents of deliveries, and at last what
 * says that they were; of objects and segments likewise. Those may stand in the documents of a crowd, which waits until
 * nobody else is left to erase.
 */
const eraser = (database: Database, recent: Recent, digest: Digest["Service"]): ((step: Step) => void) => {
  const nextIn = (state: number) =>
    database.prepare(`SELECT key, state, doc FROM subjects WHERE state = ${state} ORDER BY key LIMIT 1`)
  const next = nextIn(stateCodes.erased)
  const nextStillNamed = nextIn(stateCodes.stillNamed)
  const counters = readCounters(database)
  const timeline = readTimeline(database)
  const note = database.prepare("UPDATE subjects SET doc = ? WHERE key = ?")
  const postpone = database.prepare(
    `UPDATE subjects SET state = ${stateCodes.stillNamed}, doc = ? WHERE key = ?`,
  )
  const removeSubject = database.prepare("DELETE FROM subjects WHERE key = ?")
  const { erase, redact } = entryEraser(database)
  const references = referenceRemover(database, redact)
  const addressed = addressRemover(database, digest, redact)

  /** Erases the first of a subject's entries, as many as the step has room for and at least one. Returns how many. */
  const eraseSome = (step: Step, sequences: ReadonlyArray<number>, key: number): number => {
    let count = 0
    for (const sequence of sequences) {
      if (count > 0 && step.rowsLeft <= 0) break
      step.rowsLeft -= erase(sequence, key)
      count++
    }
    step.entries += count
    return count
  }

  /** Removes the first address of a subject for a while; returns what is left to do. */
  const eraseAddress = (step: Step, key: SubjectKey, erased: ErasedDoc, address: string): ErasedDoc => {
    const { addressedTo = 0, addresses = [], before } = erased
    const { isDone, rows, to } = addressed.some(address, before, addressedTo, step.rowsLeft)
    step.rowsLeft -= rows
    if (!isDone) return { ...erased, addressedTo: to }
    addressed.done(key, address)
    return { ...erased, addresses: addresses.slice(1), addressedTo: 0 }
  }

  return (step) => {
    while (step.rowsLeft > 0) {
      const row = next.get() ?? nextStillNamed.get()
      if (row === undefined) return
      step.erased = true
      recent.forgetAll()
      step.rowsLeft -= rowsPerLook(counters())
      const key = subjectKey(integer(row["key"]))
      const erased = readErasedDoc(row)
      const { addresses: [address] = [], before, erasedTo = 0 } = erased
      const room = Math.max(step.rowsLeft, 1)
      const found = timeline(key, erasedTo, "asc", room)
      const gone = found.filter((sequence) => sequence < before)
      const count = eraseSome(step, gone, key)
      if (count < gone.length || gone.length === room) {
        note.run(erasedDoc({ ...erased, erasedTo: gone[count - 1] ?? erasedTo }), key)
        continue
      }
      const rest = { ...erased, erasedTo: before }
      if (integer(row["state"]) === stateCodes.erased && references.isNamedByHolders(key)) {
        postpone.run(erasedDoc(rest), key)
        continue
      }
      const { isDone, rows } = references.some(key, before, step.rowsLeft)
      step.rowsLeft -= rows
      if (!isDone) note.run(erasedDoc(rest), key)
      else if (address === undefined) removeSubject.run(key)
      else note.run(erasedDoc(eraseAddress(step, key, rest, address)), key)
    }
  }
}

/** Erases entries; each function returns the rows that it took. */
const entryEraser = (database: Database) => {
  const entry = database.prepare("SELECT kind, subject, parts, detail FROM activity WHERE sequence = ?")
  const save = database.prepare(
    `UPDATE activity SET claim = CASE WHEN kind IN (${objectKindCodes}) THEN claim END, parts = NULL, detail = ? WHERE sequence = ?`,
  )
  const remove = removeEntry(database)
  const parts = partRemover(database)

  const redact = (sequence: number): number => {
    const row = entry.get(sequence)
    if (row === undefined) return 1
    save.run(redacted(text(row["detail"])), sequence)
    return row["parts"] === null ? 1 : 1 + parts.ofEntry(sequence)
  }

  /** Erases what an entry says about a subject: all of it, or its part in an entry about another subject. */
  const erase = (sequence: number, key: number): number => {
    const row = entry.get(sequence)
    if (row === undefined) return 1
    if (row["subject"] !== key) {
      parts.ofSubject(sequence, key)
      return 1
    }
    const kind = integerOrNull(row["kind"] ?? null)
    return kind !== null && isEventKind(kindOf(kind)) ? 1 + remove(sequence, key) : redact(sequence)
  }
  return { erase, redact }
}

/** Forgets anonymous visitors past their time, with all that they did. */
const forgetter = (database: Database, recent: Recent): ((step: Step, now: EpochMillis) => void) => {
  const oldest = database.prepare(
    `SELECT * FROM subjects WHERE state = ${stateCodes.anonymous} ORDER BY updated LIMIT 1`,
  )
  const counters = readCounters(database)
  const timeline = readTimeline(database)
  const subjectOfEntry = database.prepare("SELECT subject FROM activity WHERE sequence = ?")
  const remove = removeEntry(database)
  const parts = partRemover(database)
  const removeSubject = database.prepare("DELETE FROM subjects WHERE key = ?")
  const free = database.prepare("DELETE FROM identifiers WHERE text = ? AND subject = ?")
  const unlink = database.prepare("DELETE FROM links WHERE target = ? AND subject = ?")
  const shrink = database.prepare("UPDATE sizes SET size = size - 1 WHERE subject = ?")

  return (step, now) => {
    while (step.rowsLeft > 0) {
      const row = oldest.get()
      const visitor = row === undefined ? undefined : subjectOf(row)
      if (visitor?._tag !== "Visitor" || !isExpiredVisitor(visitor, now)) return
      recent.forgetAll()
      step.rowsLeft -= rowsPerLook(counters())
      const { devices, key, knownAs, relationships, workspace } = visitor
      const room = Math.max(step.rowsLeft, 1)
      const found = timeline(key, 0, "asc", room)
      for (const sequence of found) {
        if (subjectOfEntry.get(sequence)?.["subject"] === key) remove(sequence, key)
        else parts.ofSubject(sequence, key)
      }
      step.entries += found.length
      step.rowsLeft -= found.length
      if (found.length === room) return
      step.rowsLeft -= devices.size + relationships.size
      free.run(toStored(identifierText(workspace, knownAs.kind, knownAs.value)), key)
      for (const token of devices.keys()) free.run(toStored(deviceText(workspace, token)), key)
      for (const object of relationships.keys()) {
        if (unlink.run(object, key).changes !== 0) shrink.run(object)
      }
      removeSubject.run(key)
    }
  }
}

/**
 * Removes entries past their window that are not kept for good. The log is nearly in the order of receipt, so each entry
 * is looked at once: those that stay now stay for ever.
 */
const pruner = (database: Database): ((step: Step, now: EpochMillis) => void) => {
  const counters = readCounters(database)
  const raise = raiseCounter(database)
  const following = database.prepare(
    "SELECT sequence, subject, kind, outcome, received FROM activity WHERE sequence > ? ORDER BY sequence LIMIT ?",
  )
  const remove = removeEntry(database)
  // The entries of a run that stay are few, mostly: readers should not look for the others.
  const reindex = indexFacets(database)

  return (step, now) => {
    const { prunedTo } = counters()
    let seenTo = prunedTo
    if (step.rowsLeft <= 0) return
    for (const row of following.all(prunedTo, step.rowsLeft)) {
      if (step.rowsLeft <= 0 || integer(row["received"]) >= now - activityRetentionMs) break
      seenTo = integer(row["sequence"])
      step.rowsLeft--
      const kind = integerOrNull(row["kind"] ?? null)
      if (isPermanent(kind === null ? null : kindOf(kind), outcomeOf(integer(row["outcome"])))) continue
      step.rowsLeft -= remove(seenTo, integerOrNull(row["subject"] ?? null))
      step.entries++
    }
    if (seenTo === prunedTo) return
    raise("prunedTo", seenTo)
    const run = runOf(prunedTo)
    if (runOf(seenTo) !== run && run < counters().indexedRuns) reindex(run)
  }
}
