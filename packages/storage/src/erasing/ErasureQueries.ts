import type { Visitor } from "@inlethq/core/state/Visitor"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Effect } from "effect"
import type { Row } from "../columns/columns.ts"
import type { ErasedDocument } from "../rows/subjectRows.ts"
import type { Statements } from "../tables/Tables.ts"

/** A deleted person, object or segment that is being erased. */
export interface Erasure {
  readonly workspace: WorkspaceId
  readonly key: SubjectKey
  readonly state: number
  readonly document: ErasedDocument
}

/** The log positions that are greater than `from` and less than `before`. */
export interface PositionRange {
  readonly from: number
  readonly before: number
}

/** Entries of a subject in a range of positions. */
export interface EntriesOf {
  readonly rows: ReadonlyArray<Row>
  /** The position up to which the range was read. */
  readonly to: number
  /** Whether the range has no further entries. */
  readonly isAll: boolean
}

/**
 * The log entries to erase, in three groups. Entries in `removed` are deleted. Those in `redacted` lose their personal data, and
 * their deduplication keys, unless they are about objects or also in `parts`. Entries in `parts` are about another subject, and
 * lose only their effect on the deleted person.
 */
export interface EntryErasures {
  readonly removed: ReadonlyArray<Sequence>
  readonly redacted: ReadonlyArray<{
    readonly sequence: Sequence
    readonly detail: string
    /** Whether the entry records an event, so that its name is erased, too. */
    readonly isEvent: boolean
  }>
  readonly parts: ReadonlyArray<{ readonly sequence: Sequence; readonly subject: SubjectKey }>
}

/** Links to a subject. `isAll` is true if it has no further links. */
export interface LinksTo {
  /**
   * Rows with the columns `linked`, `cleaned` and `bytes`, and those that `subjectFromRow` decodes of the subject that has the
   * link, which are null if it is gone.
   */
  readonly rows: ReadonlyArray<Row>
  readonly isAll: boolean
}

/** A document that referred to a deleted subject. `doc` is null if it need not change. */
export interface CleanedLink {
  readonly key: SubjectKey
  readonly doc: string | null
}

/** An entry of a visitor, or about an object with an effect on the visitor. */
export interface VisitorEntry {
  readonly key: SubjectKey
  readonly sequence: Sequence
  readonly isOwn: boolean
}

/**
 * The receipt times before which a workspace no longer keeps entries. `retention` is for all entries, null if events stay for
 * ever, and `history` for those that are not events. `unread` is that of the first entry that its lake has not read, or null.
 */
export interface KeptSince {
  readonly history: EpochMillis
  readonly retention: EpochMillis | null
  readonly unread: EpochMillis | null
}

/** An attempt to send an entry, and its `doc` without what may repeat personal data. */
export interface ErasedAnswer {
  readonly webhook: string
  readonly key: number
  readonly doc: string
}

/** Entries at the beginning of a part of the log. `isCut` is true if this store can pass no more of them in one step. */
export interface OldEntries {
  readonly rows: ReadonlyArray<Row>
  /** The position up to which the part was read. */
  readonly to: number
  readonly isCut: boolean
}

/**
 * What housekeeping asks of a database and does in it, in one transaction that writes. `ask` runs the statements that both
 * databases understand. `E` is how a statement can fail.
 */
export interface ErasureQueries<E> {
  readonly ask: Pick<Statements<E>, "rows" | "run">

  /** What erasing a deleted subject costs at least, in rows of the budget of a step. */
  readonly rowsPerSubject: number
  /** The next deleted subject. Those that are postponed come last in their workspace. */
  readonly nextDeleted: Effect.Effect<Erasure | undefined, E>
  saveDocument(workspace: WorkspaceId, key: SubjectKey, doc: string): Effect.Effect<unknown, E>
  /** Saves the document of a deleted subject and postpones it, because people still refer to it. */
  postpone(workspace: WorkspaceId, key: SubjectKey, doc: string): Effect.Effect<unknown, E>
  /** Removes the row of a deleted subject with its size, its states of rules, and its dismissed pairs from both sides. */
  removeSubject(workspace: WorkspaceId, key: SubjectKey): Effect.Effect<unknown, E>

  /** What looking for the entries of a subject costs beside reading them, in rows of the budget of a step. */
  rowsPerLook(workspace: WorkspaceId): Effect.Effect<number, E>
  /**
   * The first `count` entries about a subject or with an effect on it, fewer if they are large. The rows have the columns that
   * `entryFromRow` decodes, and `parts_count`, the number of effects on single people, counted up to `count`.
   */
  entriesOf(
    workspace: WorkspaceId,
    subject: SubjectKey,
    range: PositionRange,
    count: number,
  ): Effect.Effect<EntriesOf, E>
  erase(workspace: WorkspaceId, erasures: EntryErasures): Effect.Effect<unknown, E>
  /** Saves the details of entries that lose what came from a merged person. */
  saveDetails(
    workspace: WorkspaceId,
    details: ReadonlyArray<{ readonly sequence: Sequence; readonly detail: string }>,
  ): Effect.Effect<unknown, E>
  /** Removes the names that rejected calls gave from their entries. */
  clearNames(workspace: WorkspaceId, sequences: ReadonlyArray<Sequence>): Effect.Effect<unknown, E>
  /**
   * The attempts to send these entries, with the columns `webhook`, `key` and `doc`. Nobody else changes them before the
   * transaction ends.
   */
  attemptsOf(workspace: WorkspaceId, sequences: ReadonlyArray<Sequence>): Effect.Effect<ReadonlyArray<Row>, E>
  /** Saves the `doc` of some of the attempts that `attemptsOf` has returned. */
  saveAnswers(workspace: WorkspaceId, answers: ReadonlyArray<ErasedAnswer>): Effect.Effect<unknown, E>

  /** The first `limit` links to a subject, fewer if the subjects that have them are large. At least one, if there are any. */
  linksTo(workspace: WorkspaceId, target: SubjectKey, limit: number): Effect.Effect<LinksTo, E>
  /** Saves documents, and removes their links to the target. */
  saveCleaned(
    workspace: WorkspaceId,
    target: SubjectKey,
    cleaned: ReadonlyArray<CleanedLink>,
  ): Effect.Effect<unknown, E>
  /** The next deliveries to an address, as `subjectFromRow` decodes them, with the column `cleaned`. */
  addressedTo(
    workspace: WorkspaceId,
    address: string,
    after: number,
    limit: number,
  ): Effect.Effect<ReadonlyArray<Row>, E>

  /** The visitors of one workspace who have been inactive longest, since before `seenBefore`. */
  expiredVisitors(seenBefore: EpochMillis, limit: number): Effect.Effect<ReadonlyArray<Row>, E>
  /** The first `count` entries of visitors of a workspace, in the order of `keys`, and what finding them cost. */
  entriesOfVisitors(
    workspace: WorkspaceId,
    keys: ReadonlyArray<SubjectKey>,
    count: number,
  ): Effect.Effect<{ readonly entries: ReadonlyArray<VisitorEntry>; readonly cost: number }, E>
  /** Deletes visitors without entries, with their lookup texts, relationships and states of rules. */
  removeVisitors(workspace: WorkspaceId, visitors: ReadonlyArray<Visitor>): Effect.Effect<unknown, E>

  keptSince(workspace: WorkspaceId, now: EpochMillis): Effect.Effect<KeptSince, E>
  /**
   * The first entries after a position, or of the whole log after null, as far as they were received before a time. The
   * rows have the columns `sequence`, `kind` and `outcome`, `parts_count`, and `has_call`, which is 1 if the entry is of a
   * rejected call that is kept.
   */
  oldEntries(
    workspace: WorkspaceId,
    after: number | null,
    receivedBefore: EpochMillis,
    limit: number,
  ): Effect.Effect<OldEntries, E>
  /** The position up to which the log was pruned. */
  prunedTo(workspace: WorkspaceId): Effect.Effect<number, E>
  savePrunedTo(workspace: WorkspaceId, prunedTo: Sequence): Effect.Effect<unknown, E>
  /** Forgets what a database has derived from a log whose entries before a position are removed. */
  logBeginsAt(workspace: WorkspaceId, position: Sequence): Effect.Effect<unknown, E>
  /** Deletes kept calls that are past the days of their workspace. Returns their positions. */
  removeOldCalls(
    workspace: WorkspaceId,
    now: EpochMillis,
    limit: number,
  ): Effect.Effect<ReadonlyArray<Sequence>, E>
}
