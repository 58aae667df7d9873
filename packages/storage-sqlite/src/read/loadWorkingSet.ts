import type { ActivityEntry } from "@inlet/core/log/ActivityEntry"
import type { Digest } from "@inlet/core/ports/Digest"
import { addressesAmong, addressOfEntry } from "@inlet/core/decision/erasure"
import type { SubjectKey } from "@inlet/core/values/Identifier"
import type { Needs } from "@inlet/core/Needs"
import type { Subject } from "@inlet/core/state/Subject"
import { makeWorkingSet, loadedWith, type Claim, type WorkingSet } from "@inlet/core/WorkingSet"
import { readErasedAddresses } from "../housekeeping/addressRemover.ts"
import { kindCodes, objectKindCodes } from "@inlet/storage/codes"
import { integer, integerOrNull, textOrNull, type Row } from "@inlet/storage/columns"
import { readCounters } from "../engine/counters.ts"
import { dataOf, sequenceOf } from "@inlet/storage/entryRows"
import type { Database } from "../engine/Database.ts"
import { toStored } from "@inlet/storage/storedText"
import { subjectKey, workspaceId } from "@inlet/storage/subjectRows"
import { documentLengthAt, keyAt, readSubjectRows, subjectAt } from "./subjects.ts"
import type { Recent } from "./SubjectCache.ts"
import { readSuppressed } from "./suppressions.ts"

/**
 * Texts, or subjects, that a load may ask for to have them kept in memory. Batches that ask for more, as those of imports,
 * find what is there and do not push it out: they mostly name very many people once.
 */
const keptOfLoadMax = 400

/** Loads what a batch names, from the cache or with one statement a table, whatever the size of the batch. Runs within a transaction. */
export const loadWorkingSet = (
  database: Database,
  digest: Digest["Service"],
  recent: Recent,
): ((needs: Needs) => WorkingSet) => {
  const counters = readCounters(database)
  const carriers = readCarriers(database, recent)
  const subjectsOf = readSubjectsThrough(database, recent)
  const suppressedOf = readSuppressed(database, digest.of)
  const claimsOf = readClaims(database)
  const erasedAddresses = readErasedAddresses(database)

  /** Subjects, and those they lead to: from a delivery to its people, from there to who took them over. */
  const withFollowed = (keys: ReadonlySet<SubjectKey>): Map<SubjectKey, Subject> => {
    const subjects = new Map<SubjectKey, Subject>()
    for (let missing = keys; missing.size > 0;) {
      const next: Array<SubjectKey> = []
      for (const subject of subjectsOf(missing)) {
        subjects.set(subject.key, subject)
        next.push(...loadedWith(subject))
      }
      missing = new Set(next.filter((key) => !subjects.has(key)))
    }
    return subjects
  }

  return (needs) => {
    const { latestReceipts, nextKey, nextSequence } = counters(needs.workspaces)
    const identifiers = carriers(needs.identifiers)
    const claims = claimsOf([...needs.deduplication])
    const claimants = [...claims.values()].flatMap(({ subject }) => subject ?? [])
    const subjects = withFollowed(new Set([...needs.subjects, ...identifiers.values(), ...claimants]))
    const claimed = withAddresses(claims, subjects, digest)
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

/** A row that claims a deduplication key, as far as erasing depends on it. */
interface ClaimRow extends Omit<Claim, "address"> {
  readonly entry: Pick<ActivityEntry, "kind" | "workspace" | "data">
}

/** Reads which entries claim deduplication keys. */
const readClaims = (database: Database): ((texts: ReadonlyArray<string>) => Map<string, ClaimRow>) => {
  // Places in the list instead of texts: the texts are here already.
  const statement = database.prepareByPlace(`
    SELECT wanted.key, found.sequence, CASE WHEN found.kind IN (${objectKindCodes}) THEN NULL ELSE found.subject END, found.workspace,
      CASE WHEN found.kind = ${kindCodes.delivery_metric} THEN found.detail END
    FROM json_each(?) AS wanted CROSS JOIN activity AS found ON found.claim = wanted.value`)
  return (texts) => {
    const found = new Map<string, ClaimRow>()
    if (texts.length === 0) return found
    for (const row of statement.all(listOf(texts))) {
      const text = texts[integer(row[0])]
      if (text !== undefined) found.set(text, claimOf(row))
    }
    return found
  }
}

const claimOf = (row: Row): ClaimRow => {
  const subject = integerOrNull(row[2] ?? null)
  const report = textOrNull(row[4] ?? null)
  return {
    sequence: sequenceOf(integer(row[1])),
    subject: subject === null ? null : subjectKey(subject),
    entry: {
      kind: report === null ? null : "delivery_metric",
      workspace: workspaceId(integer(row[3])),
      data: report === null ? null : dataOf(report),
    },
  }
}

const withAddresses = (
  claims: ReadonlyMap<string, ClaimRow>,
  subjects: ReadonlyMap<SubjectKey, Subject>,
  digest: Digest["Service"],
): Map<string, Claim> => {
  const claimed = new Map<string, Claim>()
  for (const [text, { entry, sequence, subject }] of claims) {
    const address = addressOfEntry(digest.of, entry, subject === null ? null : subjects.get(subject))
    claimed.set(text, { sequence, subject, address })
  }
  return claimed
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
