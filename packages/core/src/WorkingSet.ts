import type { ActivityEntry } from "./log/ActivityEntry.ts"
import type { Attributes } from "./state/Attributes.ts"
import { recipientsOf } from "./state/Delivery.ts"
import {
  identifierText,
  type Identifier,
  type Sequence,
  type SubjectKey,
  type WorkspaceId,
} from "./values/Identifier.ts"
import type { Person } from "./state/Person.ts"
import type { Relationships } from "./state/Relationships.ts"
import type { Subject } from "./state/Subject.ts"
import type { EpochMillis } from "./values/Timestamp.ts"

/**
 * The part of the state that a batch is decided against. It is loaded before the first command, advanced by `evolve`,
 * and saved after the last one. Only the batch that loaded it uses it, so `evolve` writes into it in place.
 */
export interface WorkingSet {
  /** The next free subject key and the next position in the log. */
  nextKey: SubjectKey
  nextSequence: Sequence
  /**
   * The subject that each lookup text resolves to. Texts exist for identifiers, device tokens, objects, deliveries and
   * forms.
   */
  readonly identifiers: Map<string, SubjectKey>
  readonly subjects: Map<SubjectKey, Subject>
  /**
   * The latest receipt time in each workspace. Receipt time never goes back (contract §16), not even across restarts,
   * so it is committed.
   */
  readonly latestReceipts: Map<WorkspaceId, EpochMillis>
  /**
   * The last entry that claimed each deduplication key, by `deduplicationText`. `isClaimed` returns whether the claim
   * still holds.
   */
  readonly claimed: Map<string, Claim>
  /** Email addresses of deleted people, by digest. Entries before the position that hold the address are erased. */
  readonly erasedAddresses: Map<string, Sequence>
  /**
   * The group that each suppressed identifier belongs to, by `identifierText`. An identifier that a person has is never
   * suppressed.
   */
  readonly suppressed: Map<string, SubjectKey>
  /**
   * The suppression groups with the key of a person or visitor, and their workspace. Commands can name these groups by
   * `svc_id`.
   */
  readonly suppressedGroups: Map<SubjectKey, WorkspaceId>
  /** Returns the digest that is stored instead of a suppressed identifier. */
  readonly digest: (text: string) => string
  /** Everything that `evolve` has written and a store must save. */
  readonly written: Written
}

/** The entry that claims a deduplication key. */
export interface Claim {
  readonly sequence: Sequence
  /** The subject whose deletion frees the key; null if the entry keeps its key. */
  readonly subject: SubjectKey | null
  /** The digest of the recipient's address in the entry; null if it has none. */
  readonly address: string | null
}

/** The parts of a working set that a batch has written. */
export interface Written {
  readonly identifiers: Set<string>
  readonly subjects: Set<SubjectKey>
  /** Links that may have changed: each subject with the targets it gained or lost. `isLinked` returns which of the two. */
  readonly links: Map<SubjectKey, Set<SubjectKey>>
  /** Lookup texts that the batch suppressed. A text missing from `WorkingSet.suppressed` was released again. */
  readonly suppressed: Set<string>
  /** Suppression groups that the batch released. */
  readonly lifted: Set<SubjectKey>
  /** Deduplication keys that the batch claimed again after the previous claim was erased. */
  readonly reassigned: Set<string>
  /** Digests of recipients' addresses that the batch recorded, by the delivery's key. */
  readonly addresses: Map<SubjectKey, Set<string>>
  readonly entries: Array<ActivityEntry>
  /** Relationships that this batch has copied. `evolve` may change these copies in place. */
  copies: WeakMap<Relationships, Map<SubjectKey, Attributes>>
}

export const makeWorkingSet = (
  nextKey: SubjectKey,
  nextSequence: Sequence,
  digest: (text: string) => string,
  loaded?: Partial<
    Pick<
      WorkingSet,
      | "identifiers"
      | "subjects"
      | "latestReceipts"
      | "claimed"
      | "erasedAddresses"
      | "suppressed"
      | "suppressedGroups"
    >
  >,
): WorkingSet => ({
  nextKey,
  nextSequence,
  digest,
  identifiers: loaded?.identifiers ?? new Map<string, SubjectKey>(),
  subjects: loaded?.subjects ?? new Map<SubjectKey, Subject>(),
  latestReceipts: loaded?.latestReceipts ?? new Map<WorkspaceId, EpochMillis>(),
  claimed: loaded?.claimed ?? new Map<string, Claim>(),
  erasedAddresses: loaded?.erasedAddresses ?? new Map<string, Sequence>(),
  suppressed: loaded?.suppressed ?? new Map<string, SubjectKey>(),
  suppressedGroups: loaded?.suppressedGroups ?? new Map<SubjectKey, WorkspaceId>(),
  written: {
    identifiers: new Set(),
    subjects: new Set(),
    links: new Map(),
    suppressed: new Set(),
    lifted: new Set(),
    reassigned: new Set(),
    addresses: new Map(),
    entries: [],
    copies: new WeakMap(),
  },
})

/**
 * Returns the subjects that a batch must load together with a subject: all recipients of a delivery, or the owner of an
 * attached subject.
 */
export const loadedWith = (subject: Subject): ReadonlyArray<SubjectKey> => {
  switch (subject._tag) {
    case "Delivery":
      return recipientsOf(subject)
    case "Attached":
      return [subject.owner]
    case "Person":
    case "Visitor":
    case "Erased":
    case "DataObject":
    case "Form":
    case "Segment":
      return []
  }
}

/** Returns the recipient of a delivery or the owner of an attached subject; null for other subjects. */
const personKeyOf = (subject: Subject): SubjectKey | null => {
  switch (subject._tag) {
    case "Delivery":
      return subject.person
    case "Attached":
      return subject.owner
    case "Person":
    case "Visitor":
    case "Erased":
    case "DataObject":
    case "Form":
    case "Segment":
      return null
  }
}

/**
 * Returns the person who received a delivery or who owns an attached subject, following later merges. Returns null if
 * that person was deleted or is unknown.
 */
export const currentPersonOf = (
  subjects: ReadonlyMap<SubjectKey, Subject>,
  subject: Subject,
): Person | null => {
  const key = personKeyOf(subject)
  const next = key === null ? undefined : subjects.get(key)
  if (next === undefined) return null
  return next._tag === "Person" ? next : currentPersonOf(subjects, next)
}

/** Returns the person or visitor that an identifier resolves to; undefined if there is none. */
export const subjectByIdentifier = (
  state: WorkingSet,
  workspace: WorkspaceId,
  identifier: Identifier,
): Subject | undefined => subjectByText(state, identifierText(workspace, identifier.kind, identifier.value))

/** Returns the subject that a lookup text resolves to; undefined if there is none. */
export const subjectByText = (state: WorkingSet, text: string): Subject | undefined => {
  const key = state.identifiers.get(text)
  return key === undefined ? undefined : state.subjects.get(key)
}
