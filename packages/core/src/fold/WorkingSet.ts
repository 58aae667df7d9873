import type { Needs } from "./Needs.ts"
import type { ErasureRecord } from "../ledger/ErasureRecord.ts"
import type { ActivityEntry } from "../log/ActivityEntry.ts"
import type { Attributes } from "../state/Attributes.ts"
import { recipientsOf } from "../state/Delivery.ts"
import {
  identifierText,
  type Identifier,
  type Sequence,
  type SubjectKey,
  type WorkspaceId,
} from "../values/Identifier.ts"
import { hasRelationships, noRules, type RuleIndex } from "../rule/RuleIndex.ts"
import type { LeafStates } from "../state/LeafState.ts"
import type { Person } from "../state/Person.ts"
import type { Relationships } from "../state/Relationships.ts"
import type { Subject } from "../state/Subject.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

/**
 * The part of a workspace's state that is needed to decide a batch of commands. The store loads the working set before
 * the first command, `evolve` updates it after each command, and the store saves it after the last command. Each batch
 * loads its own working set, so `evolve` may change it in place.
 */
export interface WorkingSet {
  readonly workspace: WorkspaceId
  /** The next free key. A key is the permanent number of a person, object or other subject. */
  nextKey: SubjectKey
  /** The log position of the next entry. */
  nextSequence: Sequence
  /** The number of records of the workspace (see `isRecord`). */
  records: number
  /**
   * Maps each lookup text, such as `email:ada@example.com`, to the subject that has it. Identifiers, device tokens,
   * objects, deliveries and forms have lookup texts.
   */
  readonly identifiers: Map<string, SubjectKey>
  readonly subjects: Map<SubjectKey, Subject>
  /**
   * The latest receipt time in the workspace; null before the first entry. Each commit stores it, because receipt times
   * must not go back even after a restart (contract §16).
   */
  latestReceipt: EpochMillis | null
  /** The last log entry that used each deduplication key. `isClaimed` returns whether the key is still in use. */
  readonly claimed: Map<string, Claim>
  /**
   * Maps the digest of a deleted person's email address to a log position. Entries before that position are erased if
   * they contain the address.
   */
  readonly erasedAddresses: Map<string, Sequence>
  /**
   * Maps the `identifierText` of each suppressed identifier to its suppression group. An identifier that currently
   * belongs to a person is never suppressed.
   */
  readonly suppressed: Map<string, SubjectKey>
  /**
   * The keys of suppression groups. If the suppression deleted a person or visitor, the group has the key of that
   * person or visitor. A command can therefore refer to the group by the `svc_id` of the deleted person.
   */
  readonly suppressedGroups: Set<SubjectKey>
  /** The rules of the workspace's segments. */
  rules: RuleIndex
  /**
   * The objects with more people than a batch loads for them (`relatedPeopleMax`), so that a build has to come to the rest if
   * they change.
   */
  readonly crowded: ReadonlySet<SubjectKey>
  /** Changes whenever a rule changes, so that a store knows when to read the rules again. 0 before the first rule. */
  rulesVersion: number
  /**
   * Whether the workspace may have people or visitors. False only if the batch changes rules (`Concerns.rules`) and there
   * are none, so that nothing has to be read before the rules take effect.
   */
  mayHaveHolders: boolean
  /** Whether identifiers of the workspace may have been freed by merges and deletions (see `person/former.ts`). */
  mayHaveFormer: boolean
  /** The entries of merges that a deletion may undo, by their log position: those loaded (`Needs.freed`) and those of this batch. */
  readonly merges: Map<Sequence, ActivityEntry>
  /** What is stored about the people and visitors of this working set and the leaves of rules. */
  readonly leafStates: Map<SubjectKey, LeafStates>
  /**
   * Returns the digest that is stored in place of a suppressed identifier. One text has different digests in different
   * workspaces.
   */
  readonly digest: (text: string) => string
  /**
   * Whether the store saves the changes of the batch one by one. A store that saves `written` does not, so that the
   * changes of a large batch need not stay in memory until it is committed.
   */
  readonly keepsChanges: boolean
  /** The changes that `evolve` has made in this working set. A store must save these changes. */
  readonly written: Written
}

/** The log entry that uses a deduplication key. */
export interface Claim {
  readonly sequence: Sequence
  /**
   * The person, object or other subject that the entry is about. Deleting this subject frees the deduplication key. If
   * `subject` is null, deletions do not free the key.
   */
  readonly subject: SubjectKey | null
  /** The digest of the recipient's address in the entry; null if the entry contains no address. */
  readonly address: string | null
  /** What the entry says, so that a duplicate can tell whether it is the same. */
  readonly content: ClaimedContent
}

/** What an operation did that uses a deduplication key. */
export type ClaimedContent = Pick<ActivityEntry, "kind" | "name" | "data">

/** A new record of the erasure ledger. */
export interface WrittenErasure {
  readonly record: ErasureRecord
  /** The keys whose digests the record has. */
  readonly subjects: readonly [SubjectKey, ...Array<SubjectKey>]
  /** The identifiers that forwards tell their receivers. */
  readonly named: ReadonlyArray<Identifier>
  /** Whether the record was made before, by data that were restored since. */
  readonly isRepeated: boolean
}

/** The changes that a batch has made in a working set. */
export interface Written {
  readonly identifiers: Set<string>
  /**
   * The people that the batch renamed, merged or deleted, and the names by which searches found them before (see
   * `searchedNames`). The names of the others do not change, so a store neither compares nor writes them.
   */
  readonly names: Map<SubjectKey, ReadonlyArray<string>>
  readonly subjects: Set<SubjectKey>
  /**
   * Links that the batch may have added or removed, such as the link from a person to an object. Maps the key of the
   * person or other subject to the keys of the targets. `isLinked` returns whether a link exists now.
   */
  readonly links: Map<SubjectKey, Set<SubjectKey>>
  /**
   * Lookup texts of identifiers that the batch suppressed, including those that a later command of the batch released
   * again. `WorkingSet.suppressed` does not contain the released texts.
   */
  readonly suppressed: Set<string>
  /** Suppression groups that the batch released. */
  readonly lifted: Set<SubjectKey>
  /**
   * Deduplication keys that the batch used for new entries, because the earlier entries with these keys were erased.
   */
  readonly reassigned: Set<string>
  /** Digests of recipients' addresses that the batch recorded, by the key of the delivery. */
  readonly addresses: Map<SubjectKey, Set<string>>
  /**
   * The people and visitors about whose leaves the batch changed what is stored, and what was stored before. A store compares it
   * with `WorkingSet.leafStates`.
   */
  readonly leafStates: Map<SubjectKey, LeafStates | undefined>
  /**
   * The identifiers of the people and visitors that this batch deleted. Rejected calls at log positions less than the
   * given one must not keep them.
   */
  readonly erasedIdentifiers: Map<string, Sequence>
  /** New records of the erasure ledger. */
  readonly erasures: Array<WrittenErasure>
  /**
   * The groups of identifiers that a record of the ledger suppressed again, by the digests of the identifiers. Nobody
   * knows the identifiers themselves.
   */
  readonly suppressedDigests: Map<string, SubjectKey>
  readonly entries: Array<ActivityEntry>
  /** The copies that this batch has made of relationship maps. `evolve` may change the copies in place. */
  copies: WeakMap<Relationships, Map<SubjectKey, Attributes>>
}

/**
 * Returns a working set. For the same text, `digest` must return different digests in different workspaces (see
 * `digestsOf`).
 */
export const makeWorkingSet = (
  workspace: WorkspaceId,
  nextKey: SubjectKey,
  nextSequence: Sequence,
  digest: (text: string) => string,
  loaded?: Partial<
    Pick<
      WorkingSet,
      | "records"
      | "identifiers"
      | "subjects"
      | "latestReceipt"
      | "claimed"
      | "erasedAddresses"
      | "suppressed"
      | "suppressedGroups"
      | "rules"
      | "rulesVersion"
      | "crowded"
      | "mayHaveHolders"
      | "mayHaveFormer"
      | "leafStates"
      | "merges"
      | "keepsChanges"
    >
  >,
): WorkingSet => ({
  workspace,
  nextKey,
  nextSequence,
  digest,
  records: loaded?.records ?? 0,
  identifiers: loaded?.identifiers ?? new Map<string, SubjectKey>(),
  subjects: loaded?.subjects ?? new Map<SubjectKey, Subject>(),
  latestReceipt: loaded?.latestReceipt ?? null,
  claimed: loaded?.claimed ?? new Map<string, Claim>(),
  erasedAddresses: loaded?.erasedAddresses ?? new Map<string, Sequence>(),
  suppressed: loaded?.suppressed ?? new Map<string, SubjectKey>(),
  suppressedGroups: loaded?.suppressedGroups ?? new Set<SubjectKey>(),
  rules: loaded?.rules ?? noRules,
  rulesVersion: loaded?.rulesVersion ?? 0,
  crowded: loaded?.crowded ?? new Set<SubjectKey>(),
  mayHaveHolders: loaded?.mayHaveHolders ?? true,
  mayHaveFormer: loaded?.mayHaveFormer ?? false,
  merges: loaded?.merges ?? new Map<Sequence, ActivityEntry>(),
  leafStates: loaded?.leafStates ?? new Map<SubjectKey, LeafStates>(),
  keepsChanges: loaded?.keepsChanges ?? true,
  written: {
    identifiers: new Set(),
    names: new Map(),
    subjects: new Set(),
    links: new Map(),
    suppressed: new Set(),
    lifted: new Set(),
    reassigned: new Set(),
    addresses: new Map(),
    leafStates: new Map(),
    erasedIdentifiers: new Map(),
    erasures: [],
    suppressedDigests: new Map(),
    entries: [],
    copies: new WeakMap(),
  },
})

/** Forgets what a batch wrote, and the merges that it loaded, in a working set that stays for the batches after it. */
export const clearWritten = ({ merges, written }: WorkingSet): void => {
  written.identifiers.clear()
  written.names.clear()
  written.subjects.clear()
  written.links.clear()
  written.suppressed.clear()
  written.lifted.clear()
  written.reassigned.clear()
  written.addresses.clear()
  written.leafStates.clear()
  written.erasedIdentifiers.clear()
  written.erasures.length = 0
  written.suppressedDigests.clear()
  written.entries.length = 0
  written.copies = new WeakMap()
  merges.clear()
}

/** Returns whether a batch loads the objects and segments of people: for merges, and for rules about related objects. */
export const withHeldOf = ({ merges }: Pick<Needs, "merges">, rules: RuleIndex): boolean =>
  merges || hasRelationships(rules)

/**
 * Returns the keys of the subjects that a batch must load together with this subject: all recipients of a delivery, or
 * the owner of an identified visitor or a merged person, the objects of a visitor, and the build that settles an object.
 * `withHeld` says whether it also loads what people have: objects and segments.
 */
export const loadedWith = (subject: Subject, withHeld = false): ReadonlyArray<SubjectKey> => {
  switch (subject._tag) {
    case "Delivery":
      return recipientsOf(subject)
    case "Attached":
      return [subject.owner]
    case "Person":
      return withHeld ? [...subject.relationships.keys(), ...subject.segments] : []
    // Few have any, and the entry of whoever they turn out to be names them.
    case "Visitor":
      return [...subject.relationships.keys()]
    case "DataObject":
      return subject.settling === null ? [] : [subject.settling]
    case "Erased":
    case "Form":
    case "Segment":
    case "SegmentMembers":
      return []
    case "RuleBuild": {
      const object = subject.settles?.object ?? null
      return object === null ? [] : [object]
    }
  }
}

/**
 * Returns the key of the recipient of a delivery, or of the person that an identified visitor or merged person belongs
 * to. Returns null for all other subjects.
 */
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
    case "SegmentMembers":
    case "RuleBuild":
      return null
  }
}

/**
 * Returns the recipient of a delivery, or the person that an identified visitor or merged person belongs to. If that
 * person was merged since, returns the person they were merged into. Returns null for all other subjects, and if the
 * person was deleted or is unknown.
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

/** Returns the person or visitor that an identifier resolves to, or undefined if the identifier is unknown. */
export const subjectByIdentifier = (state: WorkingSet, { kind, value }: Identifier): Subject | undefined =>
  subjectByText(state, identifierText(kind, value))

/** Returns the person, object or other subject that a lookup text resolves to, or undefined if the text is unknown. */
export const subjectByText = (state: WorkingSet, text: string): Subject | undefined => {
  const key = state.identifiers.get(text)
  return key === undefined ? undefined : state.subjects.get(key)
}
