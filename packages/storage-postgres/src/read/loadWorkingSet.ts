import { addressesAmong } from "@inlethq/core/decision/erasure"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { formerLookups } from "@inlethq/core/person/former"
import { withMerges } from "@inlethq/core/person/freed"
import type { Needs } from "@inlethq/core/fold/Needs"
import { digestsOf, type Digest } from "@inlethq/core/ports/Digest"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { needsRelated, isAbout, withLeafStates, noRules, type RuleIndex } from "@inlethq/core/rule/RuleIndex"
import type { Subject } from "@inlethq/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { makeWorkingSet, type WorkingSet, withHeldOf } from "@inlethq/core/fold/WorkingSet"
import { objectKindCodes } from "@inlethq/storage/columns/codes"
import { integer, integerOrNull, text, textOrNull } from "@inlethq/storage/columns/columns"
import { subjectKey } from "@inlethq/storage/columns/ids"
import type { KnownRules } from "@inlethq/storage/KnownRules"
import { wholeEntries } from "@inlethq/storage/read/activityRecords"
import { noneRelated } from "@inlethq/storage/rows/leafRows"
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
import type { HeadRow } from "@inlethq/storage/rows/batchRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { inOneRoundTrip } from "../engine/inOneRoundTrip.ts"
import { texts } from "../engine/parameters.ts"
import { emptyHead, readHead } from "../tables/heads.ts"
import { indexedText } from "../tables/indexedText.ts"
import { readErasedAddresses } from "./erasedAddresses.ts"
import { readHasHolders, readLeafStates, readRelatedTo, readRules } from "./leafStates.ts"
import { readEntries } from "./queries.ts"
import { readNamedSubjects, readSubjects } from "./subjects.ts"
import { readSuppressed } from "./suppressions.ts"

/**
 * Loads the working set of a batch, of which `readNamed` has read the greatest part. A small batch usually needs nothing
 * more, and a large one only the people, objects and other subjects that its identifiers name. Some batches need
 * further statements, which read:
 *
 * - the person whose event used a deduplication key of the batch
 * - the person that an identified visitor belongs to, and the person into whom a person was merged
 * - the recipients of deliveries
 * - the suppressions and erased addresses of the workspace
 * - what is stored about the leaves of rules, if a rule is about something that the batch changes, or a leaf is due
 *
 * The number of statements does not depend on the size of the batch.
 */
export const loadWorkingSet = (
  connection: Connection,
  digest: Digest["Service"],
  needs: Needs,
  head: HeadRow,
  known: KnownRules,
  {
    claims,
    hasDueLeaves,
    hasErasedAddresses,
    hasFormer,
    hasSuppressions,
    identifiers,
    subjects: named,
  }: NamedRows,
): Effect.Effect<WorkingSet, DatabaseError> =>
  Effect.gen(function* () {
    const { workspace } = needs
    const digestOf = digestsOf(digest, workspace)
    const allRules = yield* readRules(connection, workspace, head, known)
    const follows = head.rulesVersion > 0 && (hasDueLeaves || isAbout(allRules, needs.concerns))
    const rules = follows ? allRules : noRules
    const subjects = new Map<SubjectKey, Subject>()
    const withHeld = withHeldOf(needs, rules)
    const linked = addSubjects(subjects, named, withHeld)
    const needed = [...subjectsNeeded(needs, identifiers, claims, rules), ...linked]
    const missing = new Set(needed.filter((key) => !subjects.has(key)))
    yield* readLinked(connection, workspace, missing, withHeld, subjects)
    const loaded = { identifiers, subjects }
    const positions = new FreedNames(needs, digestOf).merges(loaded)
    const merges = yield* readMerges(connection, workspace, positions)
    const all = withMerges(needs, merges.values())
    if (merges.size > 0) {
      const texts = textsBeside(all.identifiers, needs.identifiers)
      yield* readMore(connection, { ...all, identifiers: texts }, rules, loaded)
    }
    if (hasFormer) {
      const former = { ...needs, identifiers: formerLookups(needs, loaded, digestOf) }
      yield* readMore(connection, former, rules, loaded)
    }
    const { crowded, people } = needsRelated(needs.concerns, rules)
      ? yield* readRelatedTo(connection, workspace, subjects.values())
      : noneRelated
    yield* readLinked(connection, workspace, people, withHeld, subjects)
    const claimed = claimsWithAddresses(claims, subjects, digestOf)
    const addresses = hasErasedAddresses
      ? addressesAmong(digestOf, claimed.values(), subjects.values())
      : new Set<string>()
    const suppressed = hasSuppressions
      ? yield* readSuppressed(connection, digestOf, all, identifiers, subjects)
      : {}
    const withStates = hasDueLeaves ? subjects.values() : withLeafStates(rules, all.concerns, loaded)
    return makeWorkingSet(workspace, head.nextKey, head.nextSequence, digestOf, {
      keepsChanges: false,
      ...loaded,
      latestReceipt: head.latestReceipt,
      records: head.records,
      rules: allRules,
      rulesVersion: head.rulesVersion,
      crowded,
      mayHaveHolders: !needs.concerns.rules || (yield* readHasHolders(connection, workspace)),
      ...(follows && { leafStates: yield* readLeafStates(connection, workspace, withStates) }),
      claimed,
      erasedAddresses: yield* readErasedAddresses(connection, workspace, addresses),
      merges,
      mayHaveFormer: hasFormer,
      ...suppressed,
    })
  })

/**
 * Reads the people, objects and other subjects with the given keys into `subjects`. Then reads those that must be loaded
 * with them, such as the person into whom a person was merged.
 */
const readLinked = (
  connection: Connection,
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
  withHeld: boolean,
  subjects: Map<SubjectKey, Subject>,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    for (let missing = keys; missing.size > 0;) {
      missing = addSubjects(subjects, yield* readSubjects(connection, workspace, missing), withHeld)
    }
  })

/** Reads what further lookup texts and keys lead to. */
const readMore = (
  connection: Connection,
  needs: Needs,
  rules: RuleIndex,
  { identifiers, subjects }: Pick<WorkingSet, "identifiers" | "subjects">,
): Effect.Effect<void, DatabaseError> =>
  needs.identifiers.size + needs.subjects.size === 0
    ? Effect.void
    : Effect.flatMap(readTexts(connection, { ...needs, deduplication: new Set() }), (found) => {
        for (const [text, key] of found.identifiers) identifiers.set(text, key)
        const keys = keysBeside(subjectsNeeded(needs, identifiers, noClaims, rules), subjects)
        return readLinked(connection, needs.workspace, keys, withHeldOf(needs, rules), subjects)
      })

const noClaims: ReadonlyMap<string, ClaimRow> = new Map()

/** Reads the entries of merges that deletions undo, each with everything that it says. */
const readMerges = (
  connection: Connection,
  workspace: WorkspaceId,
  positions: ReadonlySet<Sequence>,
): Effect.Effect<Map<Sequence, ActivityEntry>, DatabaseError> =>
  positions.size === 0
    ? Effect.succeed(new Map())
    : Effect.map(
        readEntries(connection, workspace, [...positions]),
        ([rows, parts]) => new Map(wholeEntries(rows, parts).map((entry) => [entry.sequence, entry])),
      )

const formerSql = formerRanges
  .map(
    ([from, to]) =>
      `EXISTS (SELECT FROM identifiers WHERE workspace = $1 AND text >= '${from}' COLLATE "C" AND text < '${to}' COLLATE "C")`,
  )
  .join(" OR ")

/** The kinds of rows that `textsSql` returns. */
const found = {
  identifier: 1,
  claim: 2,
  suppressions: 3,
  erasedAddresses: 4,
  dueLeaves: 5,
  former: 6,
} as const

/**
 * The query does one index lookup for each lookup text and each deduplication key. `OFFSET 0` enforces these lookups.
 * The column `place` is the index (from 1) of the text in `$2`, or of the key in `$3`. Leaves are due at the receipt
 * time `$4`, or at the latest one of the workspace if that is later.
 */
const textsSql = `
  SELECT ${found.identifier}, wanted.place, found.subject, NULL::bigint, NULL::text, NULL::bigint, NULL::text
  FROM unnest($2::text[]) WITH ORDINALITY AS wanted (text, place)
  CROSS JOIN LATERAL (
    SELECT subject FROM identifiers WHERE workspace = $1 AND text = wanted.text COLLATE "C" OFFSET 0
  ) AS found
  UNION ALL
  SELECT ${found.claim}, wanted.place, found.sequence, found.subject, found.detail, found.kind, found.name
  FROM unnest($3::text[]) WITH ORDINALITY AS wanted (text, place)
  CROSS JOIN LATERAL (
    SELECT sequence, CASE WHEN kind IN (${objectKindCodes}) THEN NULL ELSE subject END AS subject,
      detail, kind::bigint AS kind, name
    FROM activity WHERE workspace = $1 AND claim = wanted.text COLLATE "C" OFFSET 0
  ) AS found
  UNION ALL
  SELECT ${found.suppressions}, 0, 0, NULL, NULL, NULL, NULL WHERE EXISTS (SELECT FROM suppressions WHERE workspace = $1)
  UNION ALL
  SELECT ${found.erasedAddresses}, 0, 0, NULL, NULL, NULL, NULL WHERE EXISTS (SELECT FROM erased_addresses WHERE workspace = $1)
  UNION ALL
  SELECT ${found.dueLeaves}, 0, 0, NULL, NULL, NULL, NULL WHERE EXISTS (
    SELECT FROM leaf_states WHERE workspace = $1
      AND due <= greatest($4::bigint, (SELECT latest_receipt FROM heads WHERE workspace = $1))
  )
  UNION ALL
  SELECT ${found.former}, 0, 0, NULL, NULL, NULL, NULL WHERE $5::boolean AND (${formerSql})`

interface NamedRows extends NamedTexts {
  readonly subjects: ReadonlyArray<Subject>
}

/**
 * The largest number of identifiers whose people, objects and other subjects are read before the answer says which they
 * are. That saves a round trip, but looks each identifier up twice, which costs large batches more than it saves.
 */
const namedAtOnceMax = 256

/** Returns what a batch needs with the lookup texts that lead to people who were merged, if it deletes somebody. */
export const withFreed = (needs: Needs, digest: Digest["Service"]): Needs =>
  needs.freed.size === 0
    ? needs
    : { ...needs, identifiers: new FreedNames(needs, digestsOf(digest, needs.workspace)).identifiers }

/**
 * Reads what the commands of a batch name: their identifiers and deduplication keys, and in a small batch also the
 * people, objects and other subjects. All of it takes one round trip.
 */
export const readNamed = (connection: Connection, needs: Needs): Effect.Effect<NamedRows, DatabaseError> => {
  const small = needs.identifiers.size <= namedAtOnceMax ? [readNamedSubjects(connection, needs)] : []
  return Effect.map(inOneRoundTrip(small, readTexts(connection, needs)), ([[subjects = []], found]) => ({
    ...found,
    subjects,
  }))
}

interface NamedTexts {
  readonly identifiers: Map<string, SubjectKey>
  readonly claims: Map<string, ClaimRow>
  readonly hasSuppressions: boolean
  readonly hasErasedAddresses: boolean
  /** Whether a leaf is due about anybody in the workspace. */
  readonly hasDueLeaves: boolean
  /** Whether merges or deletions have freed identifiers of the workspace. False unless the batch looks back. */
  readonly hasFormer: boolean
}

/**
 * Reads the keys of the people, objects and other subjects that identifiers resolve to, and the log entries that use
 * deduplication keys.
 */
const readTexts = (
  connection: Connection,
  { concerns, deduplication, identifiers: wanted, looksBack, workspace }: Needs,
): Effect.Effect<NamedTexts, DatabaseError> =>
  Effect.gen(function* () {
    const names = [...wanted]
    const keys = [...deduplication]
    const rows = yield* connection.queryByIndex(textsSql, [
      workspace,
      texts(names.map(indexedText)),
      texts(keys.map(indexedText)),
      concerns.receivedAt,
      looksBack,
    ])
    const identifiers = new Map<string, SubjectKey>()
    const claims = new Map<string, ClaimRow>()
    const others = new Set<unknown>()
    for (const [kind, place, number, subject, detail, entryKind, entryName] of rows) {
      const name = kind === found.identifier ? names[integer(place) - 1] : undefined
      const key = kind === found.claim ? keys[integer(place) - 1] : undefined
      if (name !== undefined) identifiers.set(name, subjectKey(integer(number)))
      else if (key !== undefined)
        claims.set(
          key,
          claimFromColumns(
            integer(number),
            integerOrNull(subject),
            integerOrNull(entryKind ?? null),
            textOrNull(entryName ?? null),
            text(detail),
          ),
        )
      else others.add(kind)
    }
    return {
      identifiers,
      claims,
      hasSuppressions: others.has(found.suppressions),
      hasErasedAddresses: others.has(found.erasedAddresses),
      hasDueLeaves: others.has(found.dueLeaves),
      hasFormer: others.has(found.former),
    }
  })

/** Loads a working set from one snapshot, without locks. */
export const viewWorkingSet = (
  database: Database["Service"],
  digest: Digest["Service"],
  known: KnownRules,
  needs: Needs,
): Effect.Effect<WorkingSet, StoreUnavailable> =>
  database.read("read", (connection) => {
    const all = withFreed(needs, digest)
    return Effect.flatMap(
      inOneRoundTrip([readHead(connection, needs.workspace)], readNamed(connection, all)),
      ([[head = emptyHead], found]) => loadWorkingSet(connection, digest, all, head, known, found),
    )
  })
