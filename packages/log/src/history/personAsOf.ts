import { Effect, Option } from "effect"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter, type PersonRecord } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { emptyPerson, isMergedPerson, type Person } from "@inlethq/core/state/Person"
import { Sequence, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { membershipBefore, silentBuildsAfter, untoldBuilds } from "./silentMembership.ts"
import { setBack } from "@inlethq/core/decision/setBack"
import { withDeletedObjects } from "./deletedObjects.ts"
import type { PastMoment } from "./PastMoment.ts"
import { UndoOrder } from "./UndoOrder.ts"

/** The entries that are read at once. */
const entriesPerPage = 200

/** The moment before which a workspace cannot show people as they were, because the entries since then are not all there. */
export interface Horizon {
  readonly position: number
  /** The receipt time of the first entry after the horizon, or null if there is none. */
  readonly at: EpochMillis | null
}

/**
 * Returns the horizon of a workspace if a moment lies before it, otherwise null. What pruning has not passed yet can still
 * be read, so the horizon is never later than the days of history say.
 */
export const horizonAfter = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  moment: PastMoment,
): Effect.fn.Return<Horizon | null, StoreUnavailable> {
  const position = yield* snapshot.prunedTo(workspace)
  if (position === 0 || (moment._tag === "AtPosition" && moment.position >= position)) return null
  const after = Sequence.make(position)
  const { items } = yield* snapshot.activity(workspace, noFilter, { after, limit: 1, order: "asc" })
  const at = items[0]?.entry.receivedAt ?? null
  return moment._tag === "AtTime" && at !== null && moment.at >= at ? null : { position, at }
})

/**
 * Returns a person as they were at a moment: walks from their document of today backwards over their entries since then. Somebody
 * who is merged by now has none, until the walk comes to the entry of the merge. Returns none if there was no such person. The moment must be within the history that the workspace keeps.
 */
export const personAsOf = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  key: SubjectKey,
  moment: PastMoment,
): Effect.fn.Return<Option.Option<PersonRecord>, StoreUnavailable> {
  const start = yield* startOf(snapshot, workspace, key)
  if (start === null) return Option.none()
  const walk = new Walk(start)
  const builds = yield* silentBuildsAfter(snapshot, workspace, moment)
  const walked = { workspace, about: start.owner, from: null, moment }
  const position = yield* walkBack(snapshot, walked, (entry) => walk.undo(entry))
  const untold = untoldBuilds(builds, walk.toldAt)
  const before = yield* membershipBefore(snapshot, start.owner, key, position, untold)
  const record = yield* walk.record(snapshot, workspace, before)
  return Option.isNone(record)
    ? record
    : Option.some(yield* withDeletedObjects(snapshot, record.value, moment))
})

/**
 * Returns a person as they were at a moment, as `personAsOf` does, but with the segments with rules and the deleted objects of today.
 * That takes one read of the person's entries since then. Whoever was created after `receivedAt` was not there.
 */
export const personBefore = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  key: SubjectKey,
  { moment, receivedAt }: { readonly moment: PastMoment; readonly receivedAt: EpochMillis },
): Effect.fn.Return<Person | null, StoreUnavailable> {
  const start = yield* startOf(snapshot, workspace, key)
  if (start === null || (start.person !== null && start.person.createdAt > receivedAt)) return null
  const walk = new Walk(start)
  yield* walkBack(snapshot, { workspace, about: start.owner, from: null, moment }, (entry) =>
    walk.undo(entry),
  )
  return walk.reached
})

/** Where a walk begins. */
interface Start {
  /** Who has the person's entries today: themselves, or the person into whom they were merged. */
  readonly owner: Person
  /** Null if the person is merged. */
  readonly person: Person | null
  /** The person before anything happened to them. */
  readonly newcomer: Person
}

/** Returns where the walk to somebody begins, or null if there is no such person, and none who was merged. */
const startOf = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  key: SubjectKey,
): Effect.fn.Return<Start | null, StoreUnavailable> {
  const today = yield* snapshot.person(workspace, key)
  if (Option.isSome(today)) {
    const { person } = today.value
    return { owner: person, person, newcomer: emptyPerson(key, workspace, person.createdAt) }
  }
  const ownership = (yield* snapshot.ownersAmong(workspace, new Set([key]))).get(key)
  if (ownership?.owner == null) return null
  const found = yield* snapshot.person(workspace, ownership.owner)
  if (Option.isNone(found)) return null
  const { person: owner } = found.value
  const merged = owner.attached.find((one) => one.key === key && isMergedPerson(one))
  return merged === undefined
    ? null
    : { owner, person: null, newcomer: emptyPerson(key, workspace, merged.at) }
})

/** What entries are about, and where a walk back over them begins and ends. */
interface WalkedBack {
  readonly workspace: WorkspaceId
  /** The person, or an empty one with the key of an object. */
  readonly about: Person
  /** The position before which the walk begins, or null for the newest entry. */
  readonly from: Sequence | null
  readonly moment: PastMoment
}

/** Undoes the entries since a moment. Returns the position of the last entry up to it, or 0. */
export const walkBack = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  { about, from, moment, workspace }: WalkedBack,
  undo: (entry: ActivityEntry) => void,
): Effect.fn.Return<number, StoreUnavailable> {
  const filter = { ...noFilter, person: about, withErased: true as const }
  const end = moment._tag === "AtPosition" ? moment.position : 0
  const order = new UndoOrder(undo)
  let after: Sequence | null = from
  do {
    const page: Page<ActivityRecord, Sequence> = yield* snapshot.activity(workspace, filter, {
      after,
      limit: entriesPerPage,
      order: "desc",
      ...(moment._tag === "AtPosition" && { end: moment.position }),
    })
    for (const { entry } of page.items) {
      const isReached = moment._tag === "AtTime" && entry.receivedAt <= moment.at
      order.passed(entry.sequence)
      if (isReached) return entry.sequence
      order.add(entry)
    }
    after = page.next
  } while (after !== null)
  order.passed(end)
  return end
})

/** A person on the way back through their entries. */
class Walk {
  readonly owner: Person
  private readonly newcomer: Person
  /** Null while the person is not there: before they were created, and while they were merged. */
  private person: Person | null
  /** Whether the person was in a segment with a rule, as far as the entries say something else than today. */
  private readonly isIn = new Map<SubjectKey, boolean>()
  /** The position of the earliest entry that was undone and tells of a segment with a rule. */
  readonly toldAt = new Map<SubjectKey, Sequence>()

  constructor({ newcomer, owner, person }: Start) {
    this.owner = owner
    this.newcomer = newcomer
    this.person = person
  }

  /** Undoes what an entry says about the person. */
  undo({ effects, overwritten, sequence }: ActivityEntry): void {
    const { key } = this.newcomer
    for (const effect of effects.toReversed()) {
      if (effect.subject !== key) continue
      this.isIn.set(effect.segment, effect.change === "left")
      this.toldAt.set(effect.segment, sequence)
    }
    for (const one of overwritten) {
      if (one.subject !== key || one.within !== undefined) continue
      const after = this.person ?? this.newcomer
      this.person = one.before && setBack(after, one.before)
    }
  }

  /** The person as far back as the walk has come. */
  get reached(): Person | null {
    return this.person
  }

  private *segmentsBeside(
    isIn: ReadonlyMap<SubjectKey, boolean>,
    known: ReadonlyArray<SubjectKey>,
  ): Generator<SubjectKey> {
    for (const [segment, isInIt] of isIn) if (isInIt && !known.includes(segment)) yield segment
  }

  record(
    snapshot: Snapshot,
    workspace: WorkspaceId,
    before: ReadonlyMap<SubjectKey, boolean>,
  ): Effect.Effect<Option.Option<PersonRecord>, StoreUnavailable> {
    const { person } = this
    const isIn = new Map([...this.isIn, ...before])
    if (person === null) return Effect.succeed(Option.none())
    return Effect.gen({ self: this }, function* () {
      const record = yield* snapshot.recordOf(workspace, person)
      const segments = record.segments.filter((segment) => isIn.get(segment) !== false)
      for (const segment of this.segmentsBeside(isIn, segments)) {
        if (Option.isSome(yield* snapshot.segment(workspace, segment))) segments.push(segment)
      }
      return Option.some({ ...record, segments })
    })
  }
}
