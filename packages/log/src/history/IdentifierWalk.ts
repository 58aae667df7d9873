import { setBack } from "@inlethq/core/decision/setBack"
import { isMergeKind, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { PersonBefore } from "@inlethq/core/log/Overwritten"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import { emptyPerson, type Person } from "@inlethq/core/state/Person"
import type { Identifier, Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import { isJsonObject } from "@inlethq/core/values/Json"

/** The rule of events that name an `id` or `email` which nobody has. */
export const eventOfUnknown = "contract §8 events of unknown people"

/** Whose the `id` and the `email` of a person were, if they came with a merge. */
type Givers = Readonly<Record<"id" | "email", SubjectKey | null>>

/** The identifiers of a person or visitor on the way back through the entries of who they belong to today. */
export class IdentifierWalk {
  private readonly key: SubjectKey
  private readonly today: Person
  /** Whether the visitor was known by an `id` or an `email`, and not by an anonymous id. */
  private readonly isNamed: boolean
  /** Null while there is no such person: after they were merged, and before they were created. */
  private person: Person | null
  /** The identifier by which a visitor was known before a person received it. */
  private visitor: Identifier | null = null
  private givers: Givers
  /** Who has the visitor. Others who had been merged into the person of today have entries on the way, too. */
  private holder: SubjectKey
  /** The merge that was undone when a person received the visitor, together with an identifier which they had before. */
  private undone: Sequence | null = null
  /** The person to whom a merge gave what is recorded under this key, because it named them by what another one had. */
  private via: SubjectKey | null

  constructor(key: SubjectKey, today: Person, isNamed: boolean) {
    this.key = key
    this.today = today
    this.isNamed = isNamed
    this.person = today.key === key ? today : null
    this.holder = today.key
    this.givers = {
      id: this.person?.origins.get("id") ?? null,
      email: this.person?.origins.get("email") ?? null,
    }
    this.via = today.attached.find((one) => one.key === key)?.via?.primary ?? null
  }

  /** The person whom the entries under this key named at that time, if not the one who has the key. */
  get named(): SubjectKey | null {
    return this.via
  }

  /** The merge whose secondary had the identifier by which the visitor was known, if nothing else says it. */
  get nameIsIn(): Sequence | null {
    return this.person === null && this.visitor === null ? this.undone : null
  }

  /** What the person or visitor was called by. */
  get names(): NamesThen {
    const { givers, person, visitor } = this
    if (person === null) return namesOfVisitor(visitor)
    const from = [...new Set([givers.id ?? [], givers.email ?? []].flat())]
    return { person: person.key, id: person.id, email: person.email, anonymousId: null, from }
  }

  get address(): Identifier | null {
    const { givers, person } = this
    return person === null ? this.visitor : addressOf(person, givers)
  }

  undo(entry: ActivityEntry): void {
    let { holder } = this
    for (const { before, subject, within } of entry.overwritten) {
      if (within !== undefined) continue
      this.noteVisitor(entry, subject, before)
      this.noteVia(before)
      holder = holderBefore(entry, subject, before, this.key) ?? holder
      if (subject !== this.key) continue
      this.noteGivers(before)
      const { createdAt, workspace } = this.today
      this.person = before && setBack(this.person ?? emptyPerson(this.key, workspace, createdAt), before)
    }
    this.holder = holder
  }

  /** Notes the identifier by which the visitor was known, if a person received it with an entry. */
  private noteVisitor(entry: ActivityEntry, subject: SubjectKey, before: PersonBefore | null): void {
    if (subject === this.key) {
      if (before === null) this.visitor = namesIn(entry, subject)[0] ?? this.visitor
    } else if (before === null) {
      if (subject !== this.holder) return
      // A person who is created can receive a visitor at once. The entry then does not list the visitor.
      this.visitor ??= this.oneOf(entry, subject, anonymousIdIn(entry), 1)
      if (this.isNamed && this.visitor === null) this.undone ??= mergeOf(entry, subject)
    } else if (before.attached?.added.includes(this.key) === true && givesVisitors(entry)) {
      const place = before.attached.added.indexOf(this.key)
      this.visitor = this.oneOf(entry, subject, before.anonymousIds?.added[0] ?? null, place) ?? this.visitor
    }
  }

  private noteVia(before: PersonBefore | null): void {
    if (before?.attached === undefined) return
    if (before.attached.added.includes(this.key)) this.via = null
    const removed = before.attached.removed.find(({ key }) => key === this.key)
    if (removed !== undefined) this.via = removed.via?.primary ?? null
  }

  private noteGivers(before: PersonBefore | null): void {
    const { givers } = this
    const giver = (kind: "id" | "email") =>
      before?.[kind] === undefined ? givers[kind] : (before.from?.get(kind) ?? null)
    this.givers = before === null ? { id: null, email: null } : { id: giver("id"), email: giver("email") }
  }

  private oneOf(
    entry: ActivityEntry,
    subject: SubjectKey,
    anonymousId: string | null,
    index: number,
  ): Identifier | null {
    const names = this.isNamed ? namesIn(entry, subject) : []
    if (this.isNamed) return names[index] ?? names.at(-1) ?? null
    return anonymousId === null ? null : { kind: "anonymous_id", value: anonymousId }
  }
}

/** What somebody was called at a log position. */
export interface NamesThen {
  /** Null for a visitor. */
  readonly person: SubjectKey | null
  readonly id: string | null
  readonly email: string | null
  /** That of a visitor. */
  readonly anonymousId: string | null
  /** Who had these identifiers before, if merges brought them. */
  readonly from: ReadonlyArray<SubjectKey>
}

export const namesOfVisitor = (known: Identifier | null): NamesThen => ({
  person: null,
  id: known?.kind === "id" ? known.value : null,
  email: known?.kind === "email" ? known.value : null,
  anonymousId: known?.kind === "anonymous_id" ? known.value : null,
  from: [],
})

/** Returns the position of the merge of a person that an entry undid, or null. */
const mergeOf = ({ overwritten }: ActivityEntry, secondary: SubjectKey): Sequence | null => {
  for (const { before } of overwritten) {
    const removed = before?.attached?.removed.find(({ key }) => key === secondary)
    if (removed?.merge !== undefined) return removed.merge
  }
  return null
}

/**
 * Returns an identifier with which calls can name a person. What names them by an identifier that a merge gave them goes with the other
 * person when the merge is undone or the other person is erased, so such an identifier comes last.
 */
const addressOf = ({ anonymousIds, email, id }: Person, givers: Givers): Identifier | null => {
  const [anonymousId] = anonymousIds
  if (id !== null && (givers.id === null || email === null || givers.email !== null))
    return { kind: "id", value: id }
  if (email !== null) return { kind: "email", value: email }
  return anonymousId === undefined ? null : { kind: "anonymous_id", value: anonymousId }
}

/** Returns who had a key before an entry if it moved the key, or undefined. */
const holderBefore = (
  entry: ActivityEntry,
  subject: SubjectKey,
  before: PersonBefore | null,
  key: SubjectKey,
): SubjectKey | undefined => {
  if (before?.attached?.removed.some((one) => one.key === key) === true) return subject
  return before?.attached?.added.includes(key) === true ? mergeIn(entry)?.secondary : undefined
}

/** Returns whether somebody got visitors by being known, also by an alias, and not with a person whom a merge gave or took. */
const givesVisitors = (entry: ActivityEntry): boolean =>
  !isMergeKind(entry.kind) || (entry.kind === "merge" && anonymousIdIn(entry) !== null)

/** Returns the anonymous id that a person received who was created by an entry. */
const anonymousIdIn = ({ anonymousId, data }: ActivityEntry): string | null => {
  const given = isJsonObject(data) ? data["anonymous_id"] : undefined
  return anonymousId ?? (typeof given === "string" ? given : null)
}

/** Returns the `id` and the `email` that somebody received with an entry, first the one with which they were created. */
export const namesIn = (
  { changes, parts, subject }: ActivityEntry,
  key: SubjectKey,
): ReadonlyArray<Identifier> => {
  const own = subject === key ? changes : (parts.find((part) => part.subject === key)?.changes ?? changes)
  return own.flatMap(({ path, to }): ReadonlyArray<Identifier> =>
    (path === "id" || path === "email") && typeof to === "string" ? [{ kind: path, value: to }] : [],
  )
}
