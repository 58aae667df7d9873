import { addressOfEntry } from "@inlethq/core/decision/erasure"
import { digestsOf, type Digest } from "@inlethq/core/ports/Digest"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Sender, SenderId } from "@inlethq/core/log/Sender"
import type { Subject } from "@inlethq/core/state/Subject"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import {
  addParts,
  entriesIn,
  entryBytes,
  fitRows,
  namedBy,
  ownersIn,
  partsIn,
  positionsWithParts,
  recordsOf,
  subjectLevels,
  subjectOfEntry,
  subjectsIn,
  type EntriesWithParts,
  type SizedRecord,
} from "./activityRecords.ts"
import type { Row } from "../columns/columns.ts"
import { senderIn, sequenceIn } from "../rows/entryRows.ts"
import { addCalls, rejectedPositions } from "../rows/rejectedCallRows.ts"
import type { ReadBudget } from "../budgets/ReadBudget.ts"
import { sendersIn } from "../rows/senderRows.ts"
import type { ReadQueries, SubjectSize } from "./ReadQueries.ts"

interface ReadRecords {
  /** The number of processed positions, at least one. */
  readonly looked: number
  readonly records: ReadonlyArray<SizedRecord>
}

/**
 * Reads the log entries at the given positions, in that order, with the people, objects and other subjects that the
 * entries are about. Leaves out hidden entries. Stops when the slice has reached its limit,
 * or after the entry with which the total length exceeds `bytesMax`.
 */
export const readRecords = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  positions: ReadonlyArray<Sequence>,
  budget: ReadBudget,
  bytesMax: number,
): Effect.fn.Return<ReadRecords, E> {
  const wanted = positions.slice(0, budget.documents)
  const bytesWanted = Math.max(Math.min(budget.bytes, bytesMax), 0) + 1
  const { isCut, rows: found, sizes } = yield* ask.entries(workspace, wanted, bytesWanted)
  for (const row of found) budget.decode(entryBytes(row))
  const last = found.at(-1)
  const fits = fitRows(found, yield* withOwners(ask, workspace, sizes), budget)
  const left = found[fits]
  const rows = found.slice(0, fits)
  const looked =
    left !== undefined
      ? wanted.indexOf(sequenceIn(left))
      : isCut && last !== undefined
        ? wanted.indexOf(sequenceIn(last)) + 1
        : wanted.length
  return { looked, records: yield* recordsIn(ask, digest, workspace, rows) }
})

/** Adds the sizes of the people to whom subjects belong. */
const withOwners = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  sizes: ReadonlyMap<SubjectKey, SubjectSize>,
): Effect.fn.Return<ReadonlyMap<SubjectKey, SubjectSize>, E> {
  const known = new Map(sizes)
  let keys = ownersIn(sizes.values(), known)
  for (let level = 1; level < subjectLevels && keys.size > 0; level++) {
    const found = yield* ask.sizes(workspace, keys)
    for (const [key, size] of found) known.set(key, size)
    keys = ownersIn(found.values(), known)
  }
  return known
})

/** What the records need beside their rows is independent, so a database on a network answers it in few round trips. */
const recordsIn = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  rows: ReadonlyArray<Row>,
): Effect.fn.Return<ReadonlyArray<SizedRecord>, E> {
  if (rows.length === 0) return []
  const [found, subjects, hasErased, senders] = yield* Effect.all(
    [
      Effect.flatMap(callsOf(ask, workspace, rows), (calls) =>
        withParts(ask, workspace, addCalls(entriesIn(rows), calls), positionsWithParts(rows)),
      ),
      subjectsAbout(ask, workspace, subjectsIn(rows)),
      ask.hasErasedAddresses(workspace),
      sendersOf(ask, workspace, rows),
    ],
    { concurrency: "unbounded" },
  )
  const { entries } = found
  const digestOf = digestsOf(digest, workspace)
  const addresses = hasErased
    ? entries.map((entry) => addressOfEntry(digestOf, entry, subjectOfEntry(subjects, entry)))
    : []
  const wanted = new Set(addresses.flatMap((one) => one ?? []))
  const erasedAddresses = yield* ask.erasedAddresses(workspace, wanted)
  return recordsOf(rows, found, addresses, { subjects, erasedAddresses }, senders)
})

const callsOf = <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  rows: ReadonlyArray<Row>,
): Effect.Effect<ReadonlyArray<Row>, E> => {
  const rejected = rejectedPositions(rows)
  return rejected.length === 0 ? Effect.succeed([]) : ask.rejectedCalls(workspace, rejected)
}

const sendersOf = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  rows: ReadonlyArray<Row>,
): Effect.fn.Return<ReadonlyMap<SenderId, Sender>, E> {
  const ids = new Set(rows.flatMap((row) => senderIn(row) ?? []))
  return ids.size === 0 ? noSenders : sendersIn(yield* ask.senders(workspace, ids))
})

const noSenders: ReadonlyMap<SenderId, Sender> = new Map()

/** Adds the parts to entries about objects. Leaves out effects on deleted people. */
const withParts = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  entries: ReadonlyArray<ActivityEntry>,
  positions: ReadonlySet<Sequence>,
): Effect.fn.Return<EntriesWithParts, E> {
  if (positions.size === 0) return { entries, cut: new Set() }
  const found = partsIn(yield* ask.parts(workspace, positions))
  return addParts(entries, found, yield* ask.erasedAmong(workspace, found.subjects))
})

/**
 * Reads the people, objects and other subjects that log entries are about. Also reads the recipients of deliveries, and
 * the people to whom identified visitors and merged people belong.
 */
const subjectsAbout = Effect.fnUntraced(function* <E>(
  ask: ReadQueries<E>,
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
): Effect.fn.Return<Map<SubjectKey, Subject>, E> {
  const subjects = new Map<SubjectKey, Subject>()
  let wanted = keys
  for (let level = 0; level < subjectLevels && wanted.size > 0; level++) {
    const found = yield* ask.subjects(workspace, wanted)
    for (const subject of found) subjects.set(subject.key, subject)
    wanted = new Set(namedBy(found).filter((key) => !subjects.has(key)))
  }
  return subjects
})
