import type { Digest } from "@inlet/core/Digest"
import type { SubjectKey } from "@inlet/core/Identifier"
import type { Needs } from "@inlet/core/Needs"
import type { Subject } from "@inlet/core/Subject"
import { followed, make, type WorkingSet } from "@inlet/core/WorkingSet"
import { readCounters } from "./counters.ts"
import { integer } from "./columns.ts"
import type { Database } from "./Database.ts"
import { toStored } from "./storedText.ts"
import { subjectKey } from "./subjects.ts"
import { documentLengthAt, keyAt, readSubjectRows, subjectAt } from "./readSubjects.ts"
import type { Recent } from "./Recent.ts"
import { readSuppressed } from "./suppressions.ts"

/**
 * Texts, or subjects, that a load may ask for to have them kept in memory. Batches that ask for more, as those of imports,
 * find what is there and do not push it out: they mostly name very many people once.
 */
const keptOfLoadMax = 400

/** Loads what a batch names and is not in memory: one statement a table, whatever the size of the batch. */
export const loadWorkingSet = (
  database: Database,
  digest: Digest["Service"],
  recent: Recent,
): ((needs: Needs) => WorkingSet) => {
  const counters = readCounters(database)
  const carriers = readCarriers(database, recent)
  const subjectsOf = readSubjectsThrough(database, recent)
  const suppressedOf = readSuppressed(database, digest.of)
  // Places in the list instead of texts: the texts are here already.
  const claims = database.prepareByPlace(
    "SELECT wanted.key AS place FROM json_each(?) AS wanted CROSS JOIN activity AS found ON found.claim = wanted.value",
  )

  const claimed = (texts: ReadonlyArray<string>): Set<string> => {
    const found = new Set<string>()
    if (texts.length === 0) return found
    for (const row of claims.all(listOf(texts))) {
      const text = texts[integer(row[0])]
      if (text !== undefined) found.add(text)
    }
    return found
  }

  /** Subjects, and those to whom they lead: from a delivery to its person, from there to who took that person over. */
  const withFollowed = (keys: ReadonlySet<SubjectKey>): Map<SubjectKey, Subject> => {
    const subjects = new Map<SubjectKey, Subject>()
    for (let missing = keys; missing.size > 0;) {
      const next: Array<SubjectKey> = []
      for (const subject of subjectsOf(missing)) {
        subjects.set(subject.key, subject)
        const key = followed(subject)
        if (key !== null) next.push(key)
      }
      missing = new Set(next.filter((key) => !subjects.has(key)))
    }
    return subjects
  }

  return (needs) =>
    database.read(() => {
      const { nextKey, nextSequence } = counters()
      const identifiers = carriers(needs.identifiers)
      const subjects = withFollowed(new Set([...needs.subjects, ...identifiers.values()]))
      return make(nextKey, nextSequence, digest.of, {
        identifiers,
        subjects,
        claimed: claimed([...needs.deduplication]),
        ...suppressedOf(needs, identifiers, subjects),
      })
    })
}

/** Reads whom texts lead to. */
const readCarriers = (
  database: Database,
  recent: Recent,
): ((texts: ReadonlySet<string>) => Map<string, SubjectKey>) => {
  const identifiers = database.prepareByPlace(
    "SELECT wanted.key AS place, found.subject AS subject FROM json_each(?) AS wanted CROSS JOIN identifiers AS found ON found.text = wanted.value",
  )
  return (texts) => {
    const found = new Map<string, SubjectKey>()
    const missing: Array<string> = []
    for (const text of texts) {
      const key = recent.keyOf(text)
      if (key === undefined) missing.push(text)
      else found.set(text, key)
    }
    if (missing.length === 0) return found
    for (const row of identifiers.all(listOf(missing))) {
      const text = missing[integer(row[0])]
      if (text === undefined) continue
      const key = subjectKey(integer(row[1]))
      found.set(text, key)
      if (texts.size <= keptOfLoadMax) recent.keepIdentifier(text, key)
    }
    return found
  }
}

/** Reads the subjects that have one of the keys, in no order. */
const readSubjectsThrough = (
  database: Database,
  recent: Recent,
): ((keys: ReadonlySet<SubjectKey>) => ReadonlyArray<Subject>) => {
  const rowsOf = readSubjectRows(database)
  return (keys) => {
    const subjects: Array<Subject> = []
    const missing: Array<SubjectKey> = []
    for (const key of keys) {
      const row = recent.rowOf(key)
      if (row === undefined) missing.push(key)
      else subjects.push(subjectAt(row))
    }
    for (const row of rowsOf(missing)) {
      subjects.push(subjectAt(row))
      if (keys.size <= keptOfLoadMax) recent.keepRow(keyAt(row), row, documentLengthAt(row))
    }
    return subjects
  }
}

const listOf = (texts: ReadonlyArray<string>): string => JSON.stringify(texts.map(toStored))
