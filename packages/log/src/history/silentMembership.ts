import { Effect, Option } from "effect"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter, type SegmentRecord } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Person } from "@inlethq/core/state/Person"
import { Sequence, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"

/*
 * A rule that takes effect without announcing whom it found leaves no entries about them. So who was in before is not told by
 * the entries since, but by the last entry before that says so.
 */

/** A moment of a workspace: after the entry at a log position, or after what was received until a time. */
type Moment =
  | { readonly _tag: "AtPosition"; readonly position: Sequence }
  | { readonly _tag: "AtTime"; readonly at: EpochMillis }

/** The largest number of a person's entries before a moment that are read to find out which segments they were in. */
const entriesBeforeMax = 500

/** The segments that are read at once. */
const segmentsPerPage = 250

/** The last silent build of a segment after a moment, and the one before it. */
export interface LaterBuild {
  readonly position: Sequence
  /** The position of the silent build before it, or 0. */
  readonly after: number
  /** Whether the build before it is after the moment, too. */
  readonly isSecond: boolean
}

/** Returns the last silent build of each segment that had one after a moment. */
export const silentBuildsAfter = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  moment: Moment,
): Effect.fn.Return<ReadonlyMap<SubjectKey, LaterBuild>, StoreUnavailable> {
  const found = new Map<SubjectKey, LaterBuild>()
  let after: SubjectKey | null = null
  do {
    const page: Page<SegmentRecord, SubjectKey> = yield* snapshot.segments(workspace, {
      after,
      limit: segmentsPerPage,
      order: "asc",
    })
    for (const { segment } of page.items) {
      const { key, silentBuild } = segment
      if (silentBuild === null) continue
      const { after: earlier, at, position } = silentBuild
      const isLater = moment._tag === "AtPosition" ? position > moment.position : at > moment.at
      if (!isLater) continue
      const isSecond = yield* isAfter(snapshot, workspace, earlier, moment)
      found.set(key, { position, after: earlier, isSecond })
    }
    after = page.next
  } while (after !== null)
  return found
})

/** Returns whether the entry at a position came after a moment. Of an entry that is gone, nobody knows its time. */
const isAfter = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  position: number,
  moment: Moment,
): Effect.fn.Return<boolean, StoreUnavailable> {
  if (position === 0) return false
  if (moment._tag === "AtPosition") return position > moment.position
  const found = yield* snapshot.operation(workspace, Sequence.make(position))
  return Option.isSome(found) && found.value.entry.receivedAt > moment.at
})

/** Returns the builds before which the entries since a moment do not tell who was in. `toldAt` has the first that tells. */
export const untoldBuilds = (
  builds: ReadonlyMap<SubjectKey, LaterBuild>,
  toldAt: ReadonlyMap<SubjectKey, Sequence>,
): ReadonlyMap<SubjectKey, LaterBuild> =>
  new Map(
    [...builds].filter(([segment, { after, isSecond, position }]) => {
      const told = toldAt.get(segment)
      return told === undefined || told > position || (isSecond && told > after)
    }),
  )

/**
 * Returns whether a person, whose entries the owner has today, was in segments before their silent builds, as the last entries up to a position tell. Leaves out
 * what they do not tell.
 */
export const membershipBefore = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  owner: Person,
  key: SubjectKey,
  position: number,
  builds: ReadonlyMap<SubjectKey, LaterBuild>,
): Effect.fn.Return<ReadonlyMap<SubjectKey, boolean>, StoreUnavailable> {
  if (builds.size === 0) return new Map()
  const page: Page<ActivityRecord, Sequence> = yield* snapshot.activity(
    owner.workspace,
    { ...noFilter, person: owner, withErased: true as const },
    { after: Sequence.make(position + 1), limit: entriesBeforeMax, order: "desc" },
  )
  const told = new Map<SubjectKey, { readonly isIn: boolean; readonly position: number }>()
  for (const { entry } of page.items) {
    for (const { change, segment, subject } of entry.effects.toReversed()) {
      if (subject !== key || told.has(segment)) continue
      told.set(segment, { isIn: change === "entered", position: entry.sequence })
    }
  }
  const isWhole = page.next === null && (yield* snapshot.prunedTo(owner.workspace)) === 0
  const found = new Map<SubjectKey, boolean>()
  for (const [segment, { after, isSecond }] of builds) {
    const last = told.get(segment)
    // Whom the silent build before the moment found is told by nothing.
    if (!isSecond && after > (last?.position ?? 0)) continue
    if (last !== undefined) found.set(segment, last.isIn)
    else if (isWhole) found.set(segment, false)
  }
  return found
})
