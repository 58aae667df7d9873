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
 * The part of the state that a batch is decided against: loaded whole before the first command, brought forward by
 * `evolve` and written back at the end. It is a draft with one owner, the fold, so `evolve` writes into it in place.
 */
export interface WorkingSet {
  /** The next subject key and the next position in the log. */
  nextKey: SubjectKey
  nextSequence: Sequence
  /** Who carries an identifier or a device token, and which object, delivery or form an id names, by their texts. */
  readonly identifiers: Map<string, SubjectKey>
  readonly subjects: Map<SubjectKey, Subject>
  /**
   * The latest time of receipt in each workspace. Receipt time never goes back (contract §16), so it is part of the committed
   * state, not of the process.
   */
  readonly latestReceipts: Map<WorkspaceId, EpochMillis>
  /** The last entry that claimed a deduplication key, by `deduplicationText`; `isClaimed` says if it still does. */
  readonly claimed: Map<string, Claim>
  /** The position before which an address is erased, by its digest: of people who were deleted and not swept yet. */
  readonly erasedAddresses: Map<string, Sequence>
  /**
   * The groups of suppressed identifiers, by `identifierText`. An identifier that somebody carries is never suppressed.
   */
  readonly suppressed: Map<string, SubjectKey>
  /** The groups among them that a command may name by the svc_id of whoever was suppressed, with their workspace. */
  readonly suppressedGroups: Map<SubjectKey, WorkspaceId>
  /** What stands for a suppressed identifier wherever something is kept. */
  readonly digest: (text: string) => string
  /** What `evolve` has written: all that a store has to save. */
  readonly written: Written
}

/** Who has a deduplication key: the entry that claims it, by its position, its subject and the address it holds. */
export interface Claim {
  readonly sequence: Sequence
  /** The subject whose deletion frees the key; null for an entry that keeps its key. */
  readonly subject: SubjectKey | null
  /** The digest of the address that the entry holds as the recipient of a message; null without one. */
  readonly address: string | null
}

/** What a batch has written. */
export interface Written {
  readonly identifiers: Set<string>
  readonly subjects: Set<SubjectKey>
  /** Subjects that another one named before or names now, by the one that names them; `isLinked` says which it is. */
  readonly links: Map<SubjectKey, Set<SubjectKey>>
  /** Texts that were suppressed, whether they still are or not; `suppressed` says which. */
  readonly suppressed: Set<string>
  /** Groups of suppressed identifiers that were lifted. */
  readonly lifted: Set<SubjectKey>
  /** Deduplication keys that an entry claims although an earlier one, erased since, did so before. */
  readonly reassigned: Set<string>
  /** Addresses that are recorded of deliveries, by the key of the delivery. */
  readonly addresses: Map<SubjectKey, Set<string>>
  readonly entries: Array<ActivityEntry>
  /** Relationships that this batch has copied: `evolve` may write into those in place. */
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

/** The other subjects that a batch has to see once it sees one: everyone a delivery was registered for, and who took somebody over. */
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

/** To whom a delivery went, and who took somebody over; null for other subjects. */
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

/** Who has taken a subject over, or to whom a delivery went, as they are now; null where they are gone or unknown. */
export const currentPersonOf = (
  subjects: ReadonlyMap<SubjectKey, Subject>,
  subject: Subject,
): Person | null => {
  const key = personKeyOf(subject)
  const next = key === null ? undefined : subjects.get(key)
  if (next === undefined) return null
  return next._tag === "Person" ? next : currentPersonOf(subjects, next)
}

/** The person or visitor who carries an identifier; undefined where nobody does. */
export const subjectByIdentifier = (
  state: WorkingSet,
  workspace: WorkspaceId,
  identifier: Identifier,
): Subject | undefined => subjectByText(state, identifierText(workspace, identifier.kind, identifier.value))

/** The subject that the text of an identifier, a device token, an object, a delivery or a form leads to. */
export const subjectByText = (state: WorkingSet, text: string): Subject | undefined => {
  const key = state.identifiers.get(text)
  return key === undefined ? undefined : state.subjects.get(key)
}
