import { addressesAmong } from "@inlethq/core/decision/erasure"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { formerLookups } from "@inlethq/core/person/former"
import { withMerges } from "@inlethq/core/person/freed"
import type { Needs } from "@inlethq/core/fold/Needs"
import { digestsOf, type Digest } from "@inlethq/core/ports/Digest"
import { SliceCounter, type Slices } from "@inlethq/core/Slices"
import { needsRelated, noRules, type RuleIndex } from "@inlethq/core/rule/RuleIndex"
import type { Subject } from "@inlethq/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { makeWorkingSet, type WorkingSet, withHeldOf } from "@inlethq/core/fold/WorkingSet"
import { objectKindCodes } from "@inlethq/storage/columns/codes"
import { integer, integerOrNull, text, textOrNull } from "@inlethq/storage/columns/columns"
import { subjectKey } from "@inlethq/storage/columns/ids"
import { noneRelated } from "@inlethq/storage/rows/leafRows"
import { wholeEntries } from "@inlethq/storage/read/activityRecords"
import { toStored } from "@inlethq/storage/columns/storedText"
import {
  addSubjects,
  claimFromColumns,
  claimsWithAddresses,
  formerRanges,
  FreedNames,
  keysBeside,
  subjectsNeeded,
  textsBeside,
  type ClaimRow,
} from "@inlethq/storage/rows/workingSetRows"
import type { Database } from "../engine/Database.ts"
import { readHead } from "../engine/heads.ts"
import { sqlNumber, sqlWorkspace } from "../engine/rowIds.ts"
import { readErasedAddresses } from "./erasedAddresses.ts"
import { readHasHolders, readLeafStates, readRelatedTo, type RuleReader } from "./leafStates.ts"
import { cachingLoadMax, type SubjectCache } from "./SubjectCache.ts"
import { readEntries } from "./queries.ts"
import { documentLengthAt, keyAt, readSubjectRows, subjectAt } from "./subjects.ts"
import { readSuppressed } from "./suppressions.ts"

/**
 * The largest number of keys whose rows one statement, or one slice, reads. Reading these rows takes a few
 * milliseconds.
 */
const keysPerSlice = 1000

/**
 * Loads all data that a batch needs, from the cache or with one statement per table and slice. The number of statements
 * does not depend on the number of keys in a slice. Must run in a transaction. Without a cache, all data are read.
 */
export const loadWorkingSet = (
  database: Database,
  digest: Digest["Service"],
  rules: RuleReader,
  cache?: SubjectCache,
): ((needs: Needs) => Slices<WorkingSet>) => {
  const headOf = readHead(database)
  const identifiersAmong = readIdentifiers(database, cache)
  const subjectsOf = readCachedSubjects(database, cache)
  const suppressedOf = readSuppressed(database)
  const claimsOf = readClaims(database)
  const erasedAddresses = readErasedAddresses(database)
  const leafStatesOf = readLeafStates(database, cache)
  const relatedTo = readRelatedTo(database)
  const hasHolders = readHasHolders(database)
  const mergesAt = readMerges(database)

  const subjectsAmong = readLinked(subjectsOf)
  const hasFormer = readHasFormer(database)
  const addMerged = readMerged(identifiersAmong, subjectsAmong)

  return function* (needs) {
    const { workspace } = needs
    const slice = new SliceCounter(keysPerSlice)
    const digestOf = digestsOf(digest, workspace)
    const head = headOf(workspace)
    const { latestReceipt, nextKey, nextSequence, records, rulesVersion } = head
    const known = rules.rulesOf(workspace, head)
    const follows = rules.mustFollow(known, needs, latestReceipt)
    const freed = new FreedNames(needs, digestOf)
    const named = freed.identifiers
    const identifiers = yield* identifiersAmong(workspace, named, slice)
    const claims = yield* claimsOf(workspace, [...needs.deduplication], slice)
    const index = follows ? known.index : noRules
    const wanted = subjectsNeeded(needs, identifiers, claims, index)
    const withHeld = withHeldOf(needs, index)
    const subjects = yield* subjectsAmong(workspace, wanted, withHeld, slice)
    const merges = mergesAt(workspace, freed.merges({ identifiers, subjects }))
    const all = withMerges(needs, merges.values())
    if (merges.size > 0) yield* addMerged(all, named, { identifiers, subjects }, index, slice)
    const mayHaveFormer = needs.looksBack && hasFormer(workspace)
    if (mayHaveFormer) {
      const former = { ...needs, identifiers: formerLookups(needs, { identifiers, subjects }, digestOf) }
      yield* addMerged(former, named, { identifiers, subjects }, index, slice)
    }
    const { crowded, people } = needsRelated(needs.concerns, index)
      ? relatedTo(workspace, subjects.values())
      : noneRelated
    yield* subjectsAmong(workspace, people, withHeld, slice, subjects)
    const claimed = claimsWithAddresses(claims, subjects, digestOf)
    const addresses = addressesAmong(digestOf, claimed.values(), subjects.values())
    const loaded = { identifiers, subjects, latestReceipt }
    const withStates = follows ? rules.withStates(known, all, loaded) : []
    return makeWorkingSet(workspace, nextKey, nextSequence, digestOf, {
      keepsChanges: false,
      ...loaded,
      records,
      claimed,
      erasedAddresses: erasedAddresses(workspace, addresses),
      merges,
      mayHaveFormer,
      ...suppressedOf(all, identifiers, subjects, digestOf),
      rules: known.index,
      rulesVersion,
      crowded,
      mayHaveHolders: !needs.concerns.rules || hasHolders(workspace),
      leafStates: yield* leafStatesOf(workspace, withStates, slice),
    })
  }
}

/** Returns a function that reads subjects and those to which they refer. */
const readLinked = (subjectsOf: ReturnType<typeof readCachedSubjects>) =>
  function* (
    workspace: WorkspaceId,
    keys: ReadonlySet<SubjectKey>,
    withHeld: boolean,
    slice: SliceCounter,
    subjects = new Map<SubjectKey, Subject>(),
  ): Slices<Map<SubjectKey, Subject>> {
    for (let missing = keys; missing.size > 0;)
      missing = addSubjects(subjects, yield* subjectsOf(workspace, missing, slice), withHeld)
    return subjects
  }

/** Returns a function that reads what the entries of merges say that the merged people had. */
const readMerged = (
  identifiersAmong: ReturnType<typeof readIdentifiers>,
  subjectsAmong: ReturnType<typeof readLinked>,
) =>
  function* (
    all: Needs,
    known: ReadonlySet<string>,
    { identifiers, subjects }: Pick<WorkingSet, "identifiers" | "subjects">,
    index: RuleIndex,
    slice: SliceCounter,
  ): Slices<void> {
    const { workspace } = all
    const more = yield* identifiersAmong(workspace, textsBeside(all.identifiers, known), slice)
    for (const [text, key] of more) identifiers.set(text, key)
    const keys = keysBeside(subjectsNeeded(all, identifiers, noClaims, index), subjects)
    yield* subjectsAmong(workspace, keys, withHeldOf(all, index), slice, subjects)
  }

const noClaims: ReadonlyMap<string, ClaimRow> = new Map()

/** Returns a function that reads the entries of merges at the given positions, each with everything that it says. */
const readMerges = (
  database: Database,
): ((workspace: WorkspaceId, positions: ReadonlySet<Sequence>) => Map<Sequence, ActivityEntry>) => {
  const entriesAt = readEntries(database)
  return (workspace, positions) => {
    if (positions.size === 0) return new Map()
    const { parts, rows } = entriesAt(workspace, [...positions])
    return new Map(wholeEntries(rows, parts).map((entry) => [entry.sequence, entry]))
  }
}

/** Returns a function that says whether anything has freed identifiers of a workspace. */
const readHasFormer = (database: Database): ((workspace: WorkspaceId) => boolean) => {
  const within = "EXISTS (SELECT 1 FROM identifiers WHERE workspace = ? AND text >= ? AND text < ?)"
  const any = database.prepare(`SELECT 1 WHERE ${formerRanges.map(() => within).join(" OR ")}`)
  return (workspace) => any.get(...formerRanges.flatMap((range) => [workspace, ...range])) !== undefined
}

/** Returns a function that finds the log entries that use the given deduplication keys. */
const readClaims = (
  database: Database,
): ((
  workspace: WorkspaceId,
  texts: ReadonlyArray<string>,
  slice: SliceCounter,
) => Slices<Map<string, ClaimRow>>) => {
  // `json_each` numbers the wanted deduplication keys. The column `wanted.key` is this number, an index of the list
  // that the statement receives as JSON.
  const statement = database.prepareByPlace(`
    SELECT wanted.key, ${sqlNumber("found.id")}, CASE WHEN found.kind IN (${objectKindCodes}) THEN NULL ELSE found.subject END,
      found.kind, found.name, found.detail
    FROM json_each(?) AS wanted
    CROSS JOIN activity AS found ON ${sqlWorkspace("found.id")} = ? AND found.claim = wanted.value`)
  return function* (workspace, texts, slice) {
    const found = new Map<string, ClaimRow>()
    for (const chunk of chunksOf(texts)) {
      for (const row of statement.all(storedList(chunk), workspace)) {
        const key = chunk[integer(row[0])]
        if (key === undefined) continue
        const subject = integerOrNull(row[2] ?? null)
        const kind = integerOrNull(row[3] ?? null)
        const name = textOrNull(row[4] ?? null)
        found.set(key, claimFromColumns(integer(row[1]), subject, kind, name, text(row[5])))
      }
      if (slice.isFull(chunk.length)) yield
    }
    return found
  }
}

/** Returns a function that finds the people, objects and other subjects that identifiers resolve to. */
const readIdentifiers = (
  database: Database,
  cache: SubjectCache | undefined,
): ((
  workspace: WorkspaceId,
  texts: ReadonlySet<string>,
  slice: SliceCounter,
) => Slices<Map<string, SubjectKey>>) => {
  const statement = database.prepareByPlace(
    "SELECT wanted.key, found.subject FROM json_each(?) AS wanted CROSS JOIN identifiers AS found ON found.workspace = ? AND found.text = wanted.value",
  )
  return function* (workspace, texts, slice) {
    const found = new Map<string, SubjectKey>()
    const missing: Array<string> = []
    for (const text of texts) {
      const key = cache?.keyOf(workspace, text)
      if (key === undefined) missing.push(text)
      else found.set(text, key)
    }
    for (const chunk of chunksOf(missing)) {
      for (const row of statement.all(storedList(chunk), workspace)) {
        const text = chunk[integer(row[0])]
        if (text === undefined) continue
        const key = subjectKey(integer(row[1]))
        found.set(text, key)
        if (texts.size <= cachingLoadMax) cache?.addIdentifier(workspace, text, key)
      }
      if (slice.isFull(chunk.length)) yield
    }
    return found
  }
}

/** Returns a function that reads the people, objects and other subjects with the given keys, unordered. */
const readCachedSubjects = (
  database: Database,
  cache: SubjectCache | undefined,
): ((
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
  slice: SliceCounter,
) => Slices<ReadonlyArray<Subject>>) => {
  const rowsOf = readSubjectRows(database)
  return function* (workspace, keys, slice) {
    const subjects: Array<Subject> = []
    const missing: Array<SubjectKey> = []
    for (const key of keys) {
      const row = cache?.rowOf(workspace, key)
      if (row === undefined) missing.push(key)
      else subjects.push(subjectAt(row))
    }
    for (const chunk of chunksOf(missing)) {
      for (const row of rowsOf(workspace, chunk)) {
        subjects.push(subjectAt(row))
        if (keys.size <= cachingLoadMax) cache?.addRow(workspace, keyAt(row), row, documentLengthAt(row))
      }
      if (slice.isFull(chunk.length)) yield
    }
    return subjects
  }
}

/** Splits a list into parts of at most `keysPerSlice`. */
function* chunksOf<A>(list: ReadonlyArray<A>): Generator<ReadonlyArray<A>> {
  for (let from = 0; from < list.length; from += keysPerSlice) yield list.slice(from, from + keysPerSlice)
}

const storedList = (texts: ReadonlyArray<string>): string => JSON.stringify(texts.map(toStored))
