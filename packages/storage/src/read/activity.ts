import {
  followedBytesMax,
  followedMax,
  followedSlicesMax,
  type ActivityFilter,
  type Followed,
  type LogPageRequest,
} from "@inlethq/core/catalog/Catalog"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Digest } from "@inlethq/core/ports/Digest"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { Effect, Option } from "effect"
import { erasedIn } from "./activityRecords.ts"
import type { WantedEntries } from "../search/logFilter.ts"
import { keysUnder, type WantedSubjects } from "../search/namedSubjects.ts"
import { pageBytesMax } from "../budgets/pageBudget.ts"
import { ReadBudget, sliceDocumentsMax } from "../budgets/ReadBudget.ts"
import { readNamed } from "./named.ts"
import { readPerson } from "./people.ts"
import type { Read } from "./ReadQueries.ts"
import { readRecords } from "./readRecords.ts"

/** What one slice of a scan of the log found. */
export interface Scanned {
  readonly items: ReadonlyArray<ActivityRecord>
  /** The last log position that was scanned, or null if nothing was scanned yet. */
  readonly position: Sequence | null
  readonly hasEnded: boolean
  /** Whether the entries of all slices together have more bytes than `bytesMax`. */
  readonly isFull: boolean
}

/**
 * Runs the next slice of a scan of the log. It returns at most `most` entries, and need not look for more than `wanted`.
 */
export type Scan = (wanted: number, most: number) => Effect.Effect<Scanned, StoreUnavailable>

/** Opens a scan of the log after a position. Each database searches its log in its own way. */
export type OpenScan = (read: Read, wanted: WantedEntries, after: Sequence | null) => Scan

/** Reads a page of activity. Returns fewer entries than `limit` only at the end of the log or if the entries are large. */
export const readActivity = Effect.fnUntraced(function* (
  read: Read,
  open: OpenScan,
  workspace: WorkspaceId,
  filter: ActivityFilter,
  { after, end, limit, order }: LogPageRequest,
): Effect.fn.Return<Page<ActivityRecord, Sequence>, StoreUnavailable> {
  const subjects = yield* subjectsIn(read, workspace, filter)
  const bytesMax = pageBytesMax
  const scan = open(read, { workspace, filter, order, end: end ?? null, subjects, bytesMax }, after)
  const items: Array<ActivityRecord> = []
  for (;;) {
    const found = yield* scan(limit + 1 - items.length, Math.max(sliceDocumentsMax, limit + 1))
    items.push(...found.items)
    if (items.length > limit) {
      const shown = items.slice(0, limit)
      return { items: shown, next: shown.at(-1)?.entry.sequence ?? null }
    }
    if (found.hasEnded) return { items, next: null }
    if (found.isFull) return { items, next: found.position }
  }
})

/** Scans until an entry matches the filter, the log ends, or `followedSlicesMax` slices have run. */
export const followActivity = Effect.fnUntraced(function* (
  read: Read,
  open: OpenScan,
  workspace: WorkspaceId,
  filter: ActivityFilter,
  after: Sequence | null,
): Effect.fn.Return<Followed, StoreUnavailable> {
  const subjects = yield* subjectsIn(read, workspace, filter)
  const bytesMax = followedBytesMax
  const scan = open(read, { workspace, filter, order: "asc", end: null, subjects, bytesMax }, after)
  for (let slices = 1; ; slices++) {
    const { hasEnded, items, position } = yield* scan(followedMax, followedMax)
    if (items.length > 0 || hasEnded || slices === followedSlicesMax) {
      return { items, readTo: position, caughtUp: hasEnded }
    }
  }
})

/** Finds the entries of the filter's person, or of the subjects that the filter names. */
const subjectsIn = (
  read: Read,
  workspace: WorkspaceId,
  { about, person: asked }: ActivityFilter,
): Effect.Effect<WantedSubjects | null, StoreUnavailable> => {
  if (asked !== null) {
    return Effect.map(readPerson(read, workspace, asked.key), (person) => ({
      keys: keysUnder(Option.getOrElse(person, () => asked)),
      anonymousCodes: [],
      deletions: false,
    }))
  }
  return about === null ? Effect.succeed(null) : read((ask) => readNamed(ask, workspace, about))
}

/** Reads one log entry. Returns an empty option if the entry is hidden or missing. */
export const readOperation = (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  sequence: Sequence,
): Effect.Effect<Option.Option<ActivityRecord>, StoreUnavailable> =>
  read((ask) =>
    Effect.map(
      readRecords(ask, digest, workspace, [sequence], new ReadBudget(), Number.MAX_SAFE_INTEGER),
      ({ records }) => Option.map(Option.fromUndefinedOr(records[0]), ({ record }) => record),
    ),
  )

/** Finds the log entries among the given ones that readers do not see in full. */
export const readErased = Effect.fnUntraced(function* (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  sequences: ReadonlyArray<Sequence>,
): Effect.fn.Return<ReadonlySet<Sequence>, StoreUnavailable> {
  const erased = new Set<Sequence>()
  for (let from = 0; from < sequences.length;) {
    const rest = sequences.slice(from)
    const { emptied, looked, records } = yield* read((ask) =>
      Effect.gen(function* () {
        const budget = new ReadBudget()
        const found = yield* readRecords(ask, digest, workspace, rest, budget, Number.MAX_SAFE_INTEGER)
        return { ...found, emptied: yield* ask.emptiedCalls(workspace, rest.slice(0, found.looked)) }
      }),
    )
    for (const sequence of erasedIn(rest.slice(0, looked), records)) erased.add(sequence)
    for (const sequence of emptied) erased.add(sequence)
    from += looked
  }
  return erased
})
