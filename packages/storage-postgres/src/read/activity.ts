import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import {
  followedBytesMax,
  followedMax,
  followedSlicesMax,
  type ActivityFilter,
  type Followed,
  type LogPageRequest,
} from "@inlet/core/catalog/Catalog"
import type { Page } from "@inlet/core/values/Page"
import type { Digest } from "@inlet/core/ports/Digest"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import { erasedIn } from "@inlet/storage/activityRecords"
import { sequenceOf } from "@inlet/storage/ids"
import { pageBytesMax } from "@inlet/storage/pageBudget"
import { Slice, sliceDocumentsMax } from "@inlet/storage/Slice"
import { Effect, Option } from "effect"
import { readRecords } from "./activityRecords.ts"
import { hasEnded, LogScan, type ScanState } from "./LogScan.ts"
import { keysUnder, type WantedSubjects } from "@inlet/storage/namedSubjects"
import { readNamed } from "./named.ts"
import { readPerson } from "./people.ts"
import type { Read } from "./Read.ts"

/** Reads one log entry. Returns an empty option if the entry is hidden or missing. */
export const readOperation = (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  sequence: Sequence,
): Effect.Effect<Option.Option<ActivityRecord>, StoreUnavailable> =>
  Effect.map(
    read((connection) =>
      readRecords(connection, digest, workspace, [sequence], new Slice(), Number.MAX_SAFE_INTEGER),
    ),
    ({ records }) => Option.map(Option.fromUndefinedOr(records[0]), ({ record }) => record),
  )

/** Finds the log entries among the given ones that readers do not see in full. */
export const readErased = (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  sequences: ReadonlyArray<Sequence>,
): Effect.Effect<ReadonlySet<Sequence>, StoreUnavailable> =>
  Effect.gen(function* () {
    const erased = new Set<Sequence>()
    for (let from = 0; from < sequences.length;) {
      const rest = sequences.slice(from)
      const { looked, records } = yield* read((connection) =>
        readRecords(connection, digest, workspace, rest, new Slice(), Number.MAX_SAFE_INTEGER),
      )
      for (const sequence of erasedIn(rest.slice(0, looked), records)) erased.add(sequence)
      from += looked
    }
    return erased
  })

/** Reads a page of activity. Returns fewer entries than `limit` only at the end of the log or if the entries are large. */
export const readActivity = (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  filter: ActivityFilter,
  { after, end, limit, order }: LogPageRequest,
): Effect.Effect<Page<ActivityRecord, Sequence>, StoreUnavailable> =>
  Effect.gen(function* () {
    const subjects = yield* subjectsIn(read, workspace, filter)
    const scan = new LogScan(
      digest,
      { workspace, filter, order, end: end ?? null, subjects, bytesMax: pageBytesMax },
      after,
    )
    const items: Array<ActivityRecord> = []
    let asked = limit + 1
    for (let state = scan.begin; ;) {
      const sliced = yield* nextSlice(read, scan, state, asked)
      state = sliced.state
      // Each slice (a bounded part of the read) is a transaction of its own. If the filter leaves out entries of the
      // first slice, the page needs more slices. These read as many entries as possible, so that few are needed.
      asked = sliceDocumentsMax
      items.push(...sliced.items)
      if (items.length > limit) {
        const shown = items.slice(0, limit)
        return { items: shown, next: shown.at(-1)?.entry.sequence ?? null }
      }
      if (hasEnded(state)) return { items, next: null }
      if (state.bytes > pageBytesMax) return { items, next: sequenceOf(state.searchedTo) }
    }
  })

/**
 * Follows the log: scans until an entry matches, the log ends, or `followedSlicesMax` slices (bounded parts of the
 * scan) have run.
 */
export const followActivity = (
  read: Read,
  digest: Digest["Service"],
  workspace: WorkspaceId,
  filter: ActivityFilter,
  after: Sequence | null,
): Effect.Effect<Followed, StoreUnavailable> =>
  Effect.gen(function* () {
    const subjects = yield* subjectsIn(read, workspace, filter)
    const wanted = {
      workspace,
      filter,
      order: "asc",
      end: null,
      subjects,
      bytesMax: followedBytesMax,
    } as const
    const scan = new LogScan(digest, wanted, after)
    let state = scan.begin
    for (let slices = 1; ; slices++) {
      const sliced = yield* nextSlice(read, scan, state, followedMax)
      state = sliced.state
      const caughtUp = hasEnded(state)
      if (sliced.items.length > 0 || caughtUp || slices === followedSlicesMax) {
        const readTo = state.searchedTo < 1 ? null : sequenceOf(state.searchedTo)
        return { items: sliced.items, readTo, caughtUp }
      }
    }
  })

const nextSlice = (read: Read, scan: LogScan, state: ScanState, itemsMax: number) =>
  read((connection) => scan.slice(connection, state, itemsMax))

/** Finds the entries of the filter's person, or of the subjects that the filter names. */
const subjectsIn = (
  read: Read,
  workspace: WorkspaceId,
  { about, person: asked }: ActivityFilter,
): Effect.Effect<WantedSubjects | null, StoreUnavailable> => {
  if (asked === null) {
    return about === null
      ? Effect.succeed(null)
      : read((connection) => readNamed(connection, workspace, about))
  }
  return Effect.map(
    read((connection) => readPerson(connection, workspace, asked.key)),
    (person) => ({
      keys: keysUnder(Option.getOrElse(person, () => asked)),
      anonymousCodes: [],
      deletions: false,
    }),
  )
}
