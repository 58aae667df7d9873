import { Effect, Option } from "effect"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter } from "@inlethq/core/catalog/Catalog"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import { setBack } from "@inlethq/core/decision/setBack"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { PersonBefore } from "@inlethq/core/log/Overwritten"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import { emptyPerson, type Person } from "@inlethq/core/state/Person"
import type { Visitor } from "@inlethq/core/state/Visitor"
import { Sequence, type Identifier, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { isJsonObject } from "@inlethq/core/values/Json"
import type { Page } from "@inlethq/core/values/Page"

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
  private readonly known = new Map<SubjectKey, Identifier | null>()

  /** A walk back ends after `entriesMax` entries, with the identifiers that it has come to. */
  constructor(snapshot: Snapshot, workspace: WorkspaceId, entriesMax = Infinity) {
    this.snapshot = snapshot
    this.workspace = workspace
    this.entriesMax = entriesMax
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
    const walk = new Walk(key, holder, rule === "contract §8 events of unknown people")
    return Effect.map(this.walkBack(walk, holder, position), () => walk.address)
  }

  /** Undoes the entries of a person after a log position. */
  private readonly walkBack = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastAddresses,
      walk: Walk,
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

/** The identifiers of a person or visitor on the way back through the entries of who they belong to today. */
class Walk {
  private readonly key: SubjectKey
  private readonly today: Person
  /** Whether the visitor was known by an `id` or an `email`, and not by an anonymous id. */
  private readonly isNamed: boolean
  /** Null while there is no such person: after they were merged, and before they were created. */
  private person: Person | null
  /** The identifier by which a visitor was known before a person received it. */
  private visitor: Identifier | null = null

  constructor(key: SubjectKey, today: Person, isNamed: boolean) {
    this.key = key
    this.today = today
    this.isNamed = isNamed
    this.person = today.key === key ? today : null
  }

  get address(): Identifier | null {
    const { person } = this
    return person === null ? this.visitor : addressOf(person)
  }

  undo(entry: ActivityEntry): void {
    for (const { before, subject, within } of entry.overwritten) {
      if (within !== undefined) continue
      this.noteVisitor(entry, subject, before)
      if (subject !== this.key) continue
      const { createdAt, workspace } = this.today
      this.person = before && setBack(this.person ?? emptyPerson(this.key, workspace, createdAt), before)
    }
  }

  /** Notes the identifier by which the visitor was known, if a person received it with an entry. */
  private noteVisitor(entry: ActivityEntry, subject: SubjectKey, before: PersonBefore | null): void {
    if (subject === this.key) {
      if (before === null) this.visitor = namesIn(entry, subject)[0] ?? this.visitor
    } else if (before === null) {
      // A person who is created can receive a visitor at once. The entry then does not list the visitor.
      this.visitor ??= this.oneOf(entry, subject, anonymousIdIn(entry), 1)
    } else if (before.attached?.added.includes(this.key) === true) {
      this.visitor = this.oneOf(entry, subject, before.anonymousIds?.added[0] ?? null, 0) ?? this.visitor
    }
  }

  private oneOf(
    entry: ActivityEntry,
    subject: SubjectKey,
    anonymousId: string | null,
    index: number,
  ): Identifier | null {
    if (this.isNamed) return namesIn(entry, subject)[index] ?? null
    return anonymousId === null ? null : { kind: "anonymous_id", value: anonymousId }
  }
}

/** Returns an identifier with which calls can name a person. */
const addressOf = ({ anonymousIds, email, id }: Person): Identifier | null => {
  const [anonymousId] = anonymousIds
  if (id !== null) return { kind: "id", value: id }
  if (email !== null) return { kind: "email", value: email }
  return anonymousId === undefined ? null : { kind: "anonymous_id", value: anonymousId }
}

/** Returns the anonymous id that a person received who was created by an entry. */
const anonymousIdIn = ({ anonymousId, data }: ActivityEntry): string | null => {
  const given = isJsonObject(data) ? data["anonymous_id"] : undefined
  return anonymousId ?? (typeof given === "string" ? given : null)
}

/** Returns the `id` and the `email` that somebody received with an entry, first the one with which they were created. */
const namesIn = ({ changes, parts, subject }: ActivityEntry, key: SubjectKey): ReadonlyArray<Identifier> => {
  const own = subject === key ? changes : (parts.find((part) => part.subject === key)?.changes ?? changes)
  return own.flatMap(({ from, path, to }): ReadonlyArray<Identifier> =>
    (path === "id" || path === "email") && from === null && typeof to === "string"
      ? [{ kind: path, value: to }]
      : [],
  )
}
