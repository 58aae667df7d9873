import { Effect, Option } from "effect"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import { isMergeKind, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import type { Person } from "@inlethq/core/state/Person"
import type { Visitor } from "@inlethq/core/state/Visitor"
import { Sequence, type Identifier, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { nothingKnown, type HaveStayed } from "./IdentifierChanges.ts"
import { eventOfUnknown, IdentifierWalk, namesIn } from "./IdentifierWalk.ts"

/** The entries that are read at once. */
const entriesPerPage = 200

/** The largest number of people whose identifiers are kept. Those of others are found again when they are needed. */
const addressesMax = 50_000

/**
 * Finds identifiers that people and visitors had just before an entry, for a reader who follows the log forwards. Each
 * person costs one walk back over their entries, and another one after each change of their identifiers.
 */
export class PastAddresses {
  private readonly snapshot: Snapshot
  private readonly workspace: WorkspaceId
  private readonly entriesMax: number
  private readonly haveStayed: HaveStayed
  private readonly known = new Map<SubjectKey, Identifier | null>()

  /**
   * A walk back ends after `entriesMax` entries, with the identifiers that it has come to. Nobody of whom `haveStayed` is true is
   * gone back for.
   */
  constructor(
    snapshot: Snapshot,
    workspace: WorkspaceId,
    entriesMax = Infinity,
    haveStayed: HaveStayed = nothingKnown,
  ) {
    this.snapshot = snapshot
    this.workspace = workspace
    this.entriesMax = entriesMax
    this.haveStayed = haveStayed
  }

  /**
   * Returns an identifier with which a call just before a log entry would have named a person or visitor, or null if there
   * was none, or if they were deleted since.
   */
  readonly before = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastAddresses,
      key: SubjectKey,
      record: ActivityRecord,
    ): Effect.fn.Return<Identifier | null, StoreUnavailable> {
      const known = this.known.get(key)
      if (known !== undefined) return known
      const created = createdAs(key, record.entry)
      if (created !== undefined) return created
      const primary = primaryOf(key, record)
      if (primary !== undefined) return yield* this.before(primary, record)
      const holder = yield* this.holderOf(key, record)
      const found = yield* this.find(key, holder, record.entry, record.entry.sequence - 1)
      if (this.known.size >= addressesMax) this.known.clear()
      this.known.set(key, found)
      return found
    },
  )

  /** Returns an identifier with which a call just after a log entry would have named a person, or null. */
  readonly after = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastAddresses,
      key: SubjectKey,
      record: ActivityRecord,
    ): Effect.fn.Return<Identifier | null, StoreUnavailable> {
      const primary = primaryOf(key, record)
      if (primary !== undefined) return yield* this.after(primary, record)
      const holder = yield* this.holderOf(key, record)
      return yield* this.find(key, holder, record.entry, record.entry.sequence)
    },
  )

  /** Forgets whose identifiers an entry changed. Must be called for each entry, in order. */
  passed({ overwritten }: ActivityEntry): void {
    for (const { before, subject } of overwritten) {
      if (before === null) this.known.delete(subject)
      else if (before.id !== undefined || before.email !== undefined || before.anonymousIds !== undefined)
        this.known.delete(subject)
      for (const key of before?.attached?.added ?? []) this.known.delete(key)
    }
  }

  private find(
    key: SubjectKey,
    holder: Person | Visitor | null,
    { rule }: ActivityEntry,
    position: number,
  ): Effect.Effect<Identifier | null, StoreUnavailable> {
    if (holder === null) return Effect.succeed(null)
    if (holder._tag === "Visitor") return Effect.succeed(holder.knownAs)
    const walk = new IdentifierWalk(key, holder, rule === eventOfUnknown)
    if (holder.key === key && this.haveStayed(key, position)) return Effect.succeed(walk.address)
    return Effect.map(this.walkBack(walk, holder, position), () => walk.address)
  }

  /** Undoes the entries of a person after a log position. */
  private readonly walkBack = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastAddresses,
      walk: IdentifierWalk,
      person: Person,
      position: number,
    ): Effect.fn.Return<void, StoreUnavailable> {
      const filter = { ...noFilter, person, withErased: true as const }
      let after: Sequence | null = null
      let read = 0
      do {
        const page: Page<ActivityRecord, Sequence> = yield* this.snapshot.activity(this.workspace, filter, {
          after,
          limit: entriesPerPage,
          order: "desc",
          ...(position > 0 && { end: Sequence.make(position) }),
        })
        for (const { entry } of page.items) walk.undo(entry)
        read += page.items.length
        after = page.next
      } while (after !== null && read < this.entriesMax)
    },
  )

  /** Returns who a key belongs to today. */
  private readonly holderOf = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastAddresses,
      key: SubjectKey,
      record: ActivityRecord,
    ): Effect.fn.Return<Person | Visitor | null, StoreUnavailable> {
      if (record.entry.subject === key) return holderIn(record)
      const person = yield* this.snapshot.person(this.workspace, key)
      if (Option.isSome(person)) return person.value.person
      const about = { people: [], keys: [key], objects: [] }
      const { items } = yield* this.snapshot.activity(
        this.workspace,
        { ...noFilter, about },
        { after: null, limit: 1, order: "desc" },
      )
      const own = items.find(({ entry }) => entry.subject === key) ?? (yield* this.mergeOf(key, record.entry))
      return own === undefined ? null : holderIn(own)
    },
  )

  /** Finds the merge of a person after an entry. Needed for people who have no entry of their own. */
  private readonly mergeOf = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastAddresses,
      key: SubjectKey,
      { sequence }: ActivityEntry,
    ): Effect.fn.Return<ActivityRecord | undefined, StoreUnavailable> {
      let after: Sequence | null = sequence
      let read = 0
      do {
        const page: Page<ActivityRecord, Sequence> = yield* this.snapshot.activity(
          this.workspace,
          { ...noFilter, kind: "merge" },
          { after, limit: entriesPerPage, order: "asc" },
        )
        const found = page.items.find(({ entry }) => mergeIn(entry)?.secondary === key)
        if (found !== undefined) return found
        read += page.items.length
        after = page.next
      } while (after !== null && read < this.entriesMax)
      return undefined
    },
  )
}

/** Returns the person whom an event named that is recorded under a key of its own, or undefined. */
const primaryOf = (key: SubjectKey, { entry, owner }: ActivityRecord): SubjectKey | undefined =>
  entry.subject === key ? owner?.attached.find((one) => one.key === key)?.via?.primary : undefined

const holderIn = ({ owner, subject }: ActivityRecord): Person | Visitor | null =>
  subject?._tag === "Person" || subject?._tag === "Visitor"
    ? subject
    : subject?._tag === "Attached"
      ? owner
      : null

/** Returns the name by which an entry created somebody, at which a walk back to before it ends. */
const createdAs = (key: SubjectKey, entry: ActivityEntry): Identifier | undefined =>
  entry.rule !== eventOfUnknown &&
  !isMergeKind(entry.kind) &&
  entry.overwritten.some(({ before, subject }) => subject === key && before === null)
    ? namesIn(entry, key)[0]
    : undefined
