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
import { readSubjects } from "./readSubjects.ts"
import { readSuppressed } from "./suppressions.ts"

/** Loads what a batch names: one statement a table, whatever the size of the batch. */
export const loadWorkingSet = (
  database: Database,
  digest: Digest["Service"],
): ((needs: Needs) => WorkingSet) => {
  const counters = readCounters(database)
  const subjectsOf = readSubjects(database)
  const suppressedOf = readSuppressed(database, digest.of)
  // Places in the list instead of texts: the texts are here already.
  const identifiers = database.prepareByPlace(
    "SELECT wanted.key AS place, found.subject AS subject FROM json_each(?) AS wanted CROSS JOIN identifiers AS found ON found.text = wanted.value",
  )
  const claims = database.prepareByPlace(
    "SELECT wanted.key AS place FROM json_each(?) AS wanted CROSS JOIN activity AS found ON found.claim = wanted.value",
  )

  const carriers = (texts: ReadonlyArray<string>): Map<string, SubjectKey> => {
    const found = new Map<string, SubjectKey>()
    if (texts.length === 0) return found
    for (const row of identifiers.all(listOf(texts))) {
      const text = texts[integer(row[0])]
      if (text !== undefined) found.set(text, subjectKey(integer(row[1])))
    }
    return found
  }

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
      const identifiers = carriers([...needs.identifiers])
      const subjects = withFollowed(new Set([...needs.subjects, ...identifiers.values()]))
      return make(nextKey, nextSequence, digest.of, {
        identifiers,
        subjects,
        claimed: claimed([...needs.deduplication]),
        ...suppressedOf(needs, identifiers, subjects),
      })
    })
}

const listOf = (texts: ReadonlyArray<string>): string => JSON.stringify(texts.map(toStored))
