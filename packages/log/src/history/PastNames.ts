import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { FieldChange } from "@inlethq/core/log/Outcome"
import type { Overwritten } from "@inlethq/core/log/Overwritten"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Person } from "@inlethq/core/state/Person"
import { Sequence, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { Effect, Option } from "effect"
import { eventOfUnknown, IdentifierWalk, namesOfVisitor, type NamesThen } from "./IdentifierWalk.ts"

/** The entries that are read at once on the way back. */
const entriesPerPage = 200

/** The largest number of people and visitors whose names are kept. Those of others are found again when they are needed. */
const namesMax = 50_000

/** The people whom a chain of merges may lead through to who was named. */
const primariesMax = 100

/**
 * Tells what people were called right after each entry, for a reader who may be far behind the log. Somebody who changed
 * since costs one walk back over their entries, unless the reader has followed them from the entry that created them.
 */
export class PastNames {
  private readonly catalog: Catalog["Service"]
  private readonly workspace: WorkspaceId
  private readonly known = new Map<SubjectKey, NamesThen>()
  private readTo: Sequence | null = null

  constructor(catalog: Catalog["Service"], workspace: WorkspaceId) {
    this.catalog = catalog
    this.workspace = workspace
  }

  /**
   * Returns what the people and visitors of the entries after a position were called, by position. Entries about something else
   * are missing, and those about a visitor who belongs to nobody by now.
   */
  readonly ofPage = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastNames,
      after: Sequence | null,
      records: ReadonlyArray<ActivityRecord>,
    ): Effect.fn.Return<ReadonlyMap<Sequence, NamesThen>, StoreUnavailable> {
      const found = new Map<Sequence, NamesThen>()
      if (after !== this.readTo) this.known.clear()
      const separated = yield* this.separatedAt
      for (const record of records) {
        this.follow(record.entry)
        const names = yield* this.ofRecord(record, separated)
        if (names !== null) found.set(record.entry.sequence, names)
      }
      this.readTo = records.at(-1)?.entry.sequence ?? after
      return found
    },
  )

  /** Returns what the person or visitor of one entry was called, or null if the entry is about something else. */
  readonly ofOne = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastNames,
      record: ActivityRecord,
    ): Effect.fn.Return<NamesThen | null, StoreUnavailable> {
      this.known.clear()
      this.readTo = null
      return yield* this.ofRecord(record, yield* this.separatedAt)
    },
  )

  /**
   * The position of the last end of a merge. It can set the times of a person back, so that they do not tell whether somebody
   * changed since an entry before.
   */
  private get separatedAt(): Effect.Effect<number, StoreUnavailable> {
    return Effect.map(
      this.catalog.activity(
        this.workspace,
        { ...noFilter, kind: "unmerge" },
        { after: null, limit: 1, order: "desc" },
      ),
      ({ items }) => items[0]?.entry.sequence ?? 0,
    )
  }

  private readonly ofRecord = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastNames,
      { entry, owner, subject }: ActivityRecord,
      separated: number,
    ): Effect.fn.Return<NamesThen | null, StoreUnavailable> {
      const holder = subject?._tag === "Person" ? subject : subject?._tag === "Attached" ? owner : null
      if (holder === null || subject === null) return null
      const isSame =
        subject._tag === "Person" && subject.updatedAt < entry.receivedAt && separated < entry.sequence
      return isSame ? namesOf(subject) : yield* this.ofKey(subject.key, holder, entry)
    },
  )

  /** Returns what a key was called by after an entry: goes back from who has it today, unless it is known. */
  private readonly ofKey = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastNames,
      key: SubjectKey,
      holder: Person,
      { rule, sequence }: ActivityEntry,
    ): Effect.fn.Return<NamesThen, StoreUnavailable> {
      let [named, today] = [key, holder]
      for (let further = 0; ; further++) {
        const known = this.known.get(named)
        if (known !== undefined) return known
        const walk = new IdentifierWalk(named, today, named === key && rule === eventOfUnknown)
        yield* this.walkBack(walk, today, sequence)
        const next = walk.named === null || further >= primariesMax ? null : yield* this.holderOf(walk.named)
        if (walk.named === null || next === null) {
          const names = walk.nameIsIn === null ? walk.names : yield* this.nameIn(walk.nameIsIn, sequence)
          this.keep(named, names)
          return names
        }
        ;[named, today] = [walk.named, next]
      }
    },
  )

  /** Returns which identifier of the secondary of a merge nobody had after an entry, so that a visitor could be known by it. */
  private readonly nameIn = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastNames,
      merge: Sequence,
      position: Sequence,
    ): Effect.fn.Return<NamesThen, StoreUnavailable> {
      const found = Option.getOrNull(yield* this.catalog.operation(this.workspace, merge))
      const receipt = found === null ? null : mergeIn(found.entry)
      const primary = receipt === null ? null : yield* this.holderOf(receipt.primary)
      if (receipt === null || primary === null) return namesOfVisitor(null)
      const walk = new IdentifierWalk(receipt.primary, primary, false)
      yield* this.walkBack(walk, primary, position)
      const { email, id } = receipt.receipt.secondary
      if (id != null && id !== walk.names.id) return namesOfVisitor({ kind: "id", value: id })
      return namesOfVisitor(email == null ? null : { kind: "email", value: email })
    },
  )

  /** Undoes the entries of a person after a log position. */
  private readonly walkBack = Effect.fnUntraced(
    { self: this },
    function* (
      this: PastNames,
      walk: IdentifierWalk,
      person: Person,
      position: Sequence,
    ): Effect.fn.Return<void, StoreUnavailable> {
      const filter = { ...noFilter, person, withErased: true as const }
      for (let after: Sequence | null = null; ;) {
        const page: Page<ActivityRecord, Sequence> = yield* this.catalog.activity(this.workspace, filter, {
          after,
          limit: entriesPerPage,
          order: "desc",
          end: position,
        })
        for (const { entry } of page.items) if (entry.sequence > position) walk.undo(entry)
        if (page.next === null) return
        after = page.next
      }
    },
  )

  /** Returns who has a key today. */
  private readonly holderOf = Effect.fnUntraced(
    { self: this },
    function* (this: PastNames, key: SubjectKey): Effect.fn.Return<Person | null, StoreUnavailable> {
      const person = yield* this.catalog.person(this.workspace, key)
      if (Option.isSome(person)) return person.value.person
      const owner = (yield* this.catalog.ownersAmong(this.workspace, new Set([key]))).get(key)?.owner
      if (owner == null) return null
      return Option.match(yield* this.catalog.person(this.workspace, owner), {
        onNone: () => null,
        onSome: (found) => found.person,
      })
    },
  )

  /** Changes or forgets the names that an entry changed. */
  private follow(entry: ActivityEntry): void {
    for (const one of entry.overwritten) {
      const { before, subject, within } = one
      if (within !== undefined) continue
      for (const item of before?.attached?.removed ?? []) this.known.delete(item.key)
      for (const key of before?.attached?.added ?? []) this.known.delete(key)
      if (!changesNames(one)) continue
      const names = namesAfter(entry, one, this.known.get(subject))
      this.known.delete(subject)
      if (names !== undefined) this.keep(subject, names)
    }
  }

  private keep(key: SubjectKey, names: NamesThen): void {
    if (this.known.size >= namesMax) {
      const [oldest] = this.known.keys()
      if (oldest !== undefined) this.known.delete(oldest)
    }
    this.known.set(key, names)
  }
}

const namesOf = ({ email, id, key, origins }: Person): NamesThen => ({
  person: key,
  id,
  email,
  anonymousId: null,
  from: ["id", "email"].flatMap((path) => origins.get(path) ?? []),
})

const changesNames = ({ before }: Overwritten): boolean =>
  before === null || before.id !== undefined || before.email !== undefined || before.from !== undefined

/** Returns the names of a person after an entry that creates them, or that changes names that no merge brought. */
const namesAfter = (
  { changes, kind, subject: about }: ActivityEntry,
  { before, subject }: Overwritten,
  known: NamesThen | undefined,
): NamesThen | undefined => {
  if (kind !== "identify" || about !== subject || before?.from !== undefined) return undefined
  if (before !== null && (known === undefined || known.from.length > 0)) return undefined
  const after = (path: "id" | "email") => textAfter(changes, path, known?.[path] ?? null)
  return { person: subject, id: after("id"), email: after("email"), anonymousId: null, from: [] }
}

const textAfter = (changes: ReadonlyArray<FieldChange>, path: string, otherwise: string | null) => {
  const change = changes.findLast((one) => one.path === path)
  return change === undefined ? otherwise : typeof change.to === "string" ? change.to : null
}
