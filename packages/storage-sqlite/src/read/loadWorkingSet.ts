import { addressesAmong } from "@inlet/core/decision/erasure"
import type { Needs } from "@inlet/core/Needs"
import type { Digest } from "@inlet/core/ports/Digest"
import type { Subject } from "@inlet/core/state/Subject"
import type { SubjectKey } from "@inlet/core/values/Identifier"
import { makeWorkingSet, type WorkingSet } from "@inlet/core/WorkingSet"
import { kindCodes, objectKindCodes } from "@inlet/storage/codes"
import { integer, integerOrNull, textOrNull } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { toStored } from "@inlet/storage/storedText"
import {
  addSubjects,
  claimFromColumns,
  claimsWithAddresses,
  subjectsNeeded,
  type ClaimRow,
} from "@inlet/storage/workingSetRows"
import { readCounters } from "../engine/counters.ts"
import type { Database } from "../engine/Database.ts"
import { readErasedAddresses } from "./erasedAddresses.ts"
import type { SubjectCache } from "./SubjectCache.ts"
import { documentLengthAt, keyAt, readSubjectRows, subjectAt } from "./subjects.ts"
import { readSuppressed } from "./suppressions.ts"

/**
 * Loads of at most this many keys add to the cache. Larger loads (imports) only read the cache. They rarely name a
 * person twice, so adding them would evict more useful entries.
 */
const cachingLoadMax = 400

/**
 * Loads everything that a batch needs, from the cache or with one statement per table. The number of statements does
 * not depend on the size of the batch. Runs in a transaction.
 */
export const loadWorkingSet = (
  database: Database,
  digest: Digest["Service"],
  cache: SubjectCache,
): ((needs: Needs) => WorkingSet) => {
  const readAllCounters = readCounters(database)
  const identifiersAmong = readIdentifiers(database, cache)
  const subjectsOf = readCachedSubjects(database, cache)
  const suppressedOf = readSuppressed(database, digest.of)
  const claimsOf = readClaims(database)
  const erasedAddresses = readErasedAddresses(database)

  const subjectsAmong = (keys: ReadonlySet<SubjectKey>): Map<SubjectKey, Subject> => {
    const subjects = new Map<SubjectKey, Subject>()
    for (let missing = keys; missing.size > 0;) missing = addSubjects(subjects, subjectsOf(missing))
    return subjects
  }

  return (needs) => {
    const { latestReceipts, nextKey, nextSequence } = readAllCounters(needs.workspaces)
    const identifiers = identifiersAmong(needs.identifiers)
    const claims = claimsOf([...needs.deduplication])
    const subjects = subjectsAmong(subjectsNeeded(needs, identifiers, claims))
    const claimed = claimsWithAddresses(claims, subjects, digest.of)
    const addresses = addressesAmong(digest.of, claimed.values(), subjects.values())
    return makeWorkingSet(nextKey, nextSequence, digest.of, {
      identifiers,
      subjects,
      latestReceipts,
      claimed,
      erasedAddresses: erasedAddresses.among(addresses),
      ...suppressedOf(needs, identifiers, subjects),
    })
  }
}

/** Reads the entries that claim some deduplication keys. */
const readClaims = (database: Database): ((texts: ReadonlyArray<string>) => Map<string, ClaimRow>) => {
  // Returns indexes into the list of texts instead of the texts, because the caller has the list.
  const statement = database.prepareByPlace(`
    SELECT wanted.key, found.sequence, CASE WHEN found.kind IN (${objectKindCodes}) THEN NULL ELSE found.subject END, found.workspace,
      CASE WHEN found.kind = ${kindCodes.delivery_metric} THEN found.detail END
    FROM json_each(?) AS wanted CROSS JOIN activity AS found ON found.claim = wanted.value`)
  return (texts) => {
    const found = new Map<string, ClaimRow>()
    if (texts.length === 0) return found
    for (const row of statement.all(storedList(texts))) {
      const text = texts[integer(row[0])]
      if (text === undefined) continue
      const subject = integerOrNull(row[2] ?? null)
      found.set(text, claimFromColumns(integer(row[1]), subject, integer(row[3]), textOrNull(row[4] ?? null)))
    }
    return found
  }
}

/** Reads the subjects that identifier texts resolve to. */
const readIdentifiers = (
  database: Database,
  cache: SubjectCache,
): ((texts: ReadonlySet<string>) => Map<string, SubjectKey>) => {
  const statement = database.prepareByPlace(
    "SELECT wanted.key AS place, found.subject AS subject FROM json_each(?) AS wanted CROSS JOIN identifiers AS found ON found.text = wanted.value",
  )
  return (texts) => {
    const found = new Map<string, SubjectKey>()
    const missing: Array<string> = []
    for (const text of texts) {
      const key = cache.keyOf(text)
      if (key === undefined) missing.push(text)
      else found.set(text, key)
    }
    if (missing.length === 0) return found
    for (const row of statement.all(storedList(missing))) {
      const text = missing[integer(row[0])]
      if (text === undefined) continue
      const key = subjectKey(integer(row[1]))
      found.set(text, key)
      if (texts.size <= cachingLoadMax) cache.addIdentifier(text, key)
    }
    return found
  }
}

/** Reads the subjects with some keys, in no particular order. */
const readCachedSubjects = (
  database: Database,
  cache: SubjectCache,
): ((keys: ReadonlySet<SubjectKey>) => ReadonlyArray<Subject>) => {
  const rowsOf = readSubjectRows(database)
  return (keys) => {
    const subjects: Array<Subject> = []
    const missing: Array<SubjectKey> = []
    for (const key of keys) {
      const row = cache.rowOf(key)
      if (row === undefined) missing.push(key)
      else subjects.push(subjectAt(row))
    }
    for (const row of rowsOf(missing)) {
      subjects.push(subjectAt(row))
      if (keys.size <= cachingLoadMax) cache.addRow(keyAt(row), row, documentLengthAt(row))
    }
    return subjects
  }
}

const storedList = (texts: ReadonlyArray<string>): string => JSON.stringify(texts.map(toStored))
