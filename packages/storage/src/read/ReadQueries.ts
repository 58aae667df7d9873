import type { CountedSteps } from "@inlethq/core/catalog/ActivityCounts"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { SenderId } from "@inlethq/core/log/Sender"
import type { Subject } from "@inlethq/core/state/Subject"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { PageRequest } from "@inlethq/core/values/Page"
import type { Effect, Option } from "effect"
import type { ListedCode } from "../columns/codes.ts"
import type { Row } from "../columns/columns.ts"
import type { CountedGroup } from "../search/logCounts.ts"
import type { Statements } from "../tables/Tables.ts"
import type { SearchTexts } from "../search/subjectSearch.ts"

/** A list of people, objects or other subjects, in the order of their keys. */
export type SubjectList =
  | { readonly _tag: "OfKind"; readonly state: ListedCode }
  | { readonly _tag: "ObjectsOfType"; readonly typeId: string }
  /** Everyone who is linked to an object or a segment. */
  | { readonly _tag: "LinkedTo"; readonly target: SubjectKey }

/**
 * Rows of which the documents have a bounded total length. `isCut` is true if further rows may have been left out for
 * this reason.
 */
export interface CutRows {
  readonly rows: ReadonlyArray<Row>
  readonly isCut: boolean
}

/** Rows of the log, with the sizes of the subjects that they are about. */
export interface CutEntries extends CutRows {
  readonly sizes: ReadonlyMap<SubjectKey, SubjectSize>
}

/** The size of the JSON document of a person, object or other subject. The size is read before the document. */
export interface SubjectSize {
  readonly state: number
  /** The person to whom a subject belongs, or the recipient of a delivery. */
  readonly owner: SubjectKey | null
  readonly bytes: number
}

/** An identifier that begins with the prefix of a search. `text` is the text that the database stores. */
export interface FoundIdentifier {
  readonly text: string
  readonly subject: SubjectKey
}

/** Some types of the objects of a workspace. */
export interface ObjectTypes {
  readonly types: ReadonlyArray<string>
  /** The cursor after which further types may follow, or null after the last type. */
  readonly next: string | null
  /** Whether types were left out because they are too long for the index. */
  readonly isCut: boolean
}

/** How far a log was counted in blocks (`logCounts.ts`). */
export interface CountedLog {
  readonly blockEntries: number
  /** The largest number of blocks that one slice adds up. */
  readonly blocksPerQuery: number
  /** The position at which the first block begins that is not counted. */
  readonly counted: number
  /** The position after the newest entry. */
  readonly end: number
}

/**
 * The questions about a workspace that a database answers with one statement each. Every read of the catalog is composed
 * of them. Rows of subjects have the columns that `subjectFromRow` decodes, and rows of objects and segments also have
 * `size`, the number of links to them. `E` is how a statement can fail.
 */
export interface ReadQueries<E> {
  /** Runs the statements that both databases understand. */
  readonly ask: Pick<Statements<E>, "rows">

  /** The next rows of a list, at most `limit`, of which the documents fit into `sliceBytesMax`. At least one row. */
  listed(workspace: WorkspaceId, list: SubjectList, page: PageRequest<SubjectKey>): Effect.Effect<CutRows, E>
  /** The rows of subjects of one kind in the order of `keys`, of which the documents fit into `sliceBytesMax`. */
  listedAt(
    workspace: WorkspaceId,
    keys: ReadonlyArray<SubjectKey>,
    state: ListedCode,
  ): Effect.Effect<CutRows, E>
  byKey(workspace: WorkspaceId, key: SubjectKey, state: ListedCode): Effect.Effect<Option.Option<Row>, E>
  /** The subject to which a lookup text, such as `email:ada@example.com`, belongs. */
  byText(workspace: WorkspaceId, text: string, state: ListedCode): Effect.Effect<Option.Option<Row>, E>
  sizes(
    workspace: WorkspaceId,
    keys: ReadonlySet<SubjectKey>,
  ): Effect.Effect<ReadonlyMap<SubjectKey, SubjectSize>, E>
  subjects(workspace: WorkspaceId, keys: ReadonlySet<SubjectKey>): Effect.Effect<ReadonlyArray<Subject>, E>
  /**
   * The identifiers of people that begin with a prefix and follow the stored text `after`, in the order of their texts.
   * A database that shortens long texts may also return some that begin otherwise.
   */
  identifiersFrom(
    workspace: WorkspaceId,
    prefix: string,
    after: string | null,
    limit: number,
  ): Effect.Effect<ReadonlyArray<FoundIdentifier>, E>
  /**
   * The keys of the subjects to which whole lookup texts belong, and of those to which the first `limit` texts with each
   * beginning belong. A key may be returned more than once.
   */
  keysOf(
    workspace: WorkspaceId,
    texts: SearchTexts,
    limit: number,
  ): Effect.Effect<ReadonlyArray<SubjectKey>, E>
  /** The types of the workspace's objects after a cursor, in the order of the index. Looks at no more than `max` types. */
  objectTypes(workspace: WorkspaceId, after: string | null, max: number): Effect.Effect<ObjectTypes, E>
  /** The last log position that pruning has passed, or 0. */
  prunedTo(workspace: WorkspaceId): Effect.Effect<number, E>
  isSuppressed(workspace: WorkspaceId, digest: string): Effect.Effect<boolean, E>
  /** Whether the workspace has addresses of deleted people that readers must not show. */
  hasErasedAddresses(workspace: WorkspaceId): Effect.Effect<boolean, E>
  /**
   * For each of the given digests that is of an erased address, the position before which reports on deliveries must not
   * show the address.
   */
  erasedAddresses(
    workspace: WorkspaceId,
    addresses: ReadonlySet<string>,
  ): Effect.Effect<Map<string, Sequence>, E>
  /** Those of the given subjects that are deleted. */
  erasedAmong(
    workspace: WorkspaceId,
    keys: ReadonlySet<SubjectKey>,
  ): Effect.Effect<ReadonlySet<SubjectKey>, E>
  /**
   * The log entries at the given positions, in the order of `positions`, up to and including the one with which their
   * total length reaches `bytesMax`. The sizes of what they are about come with them, which saves a database on a network a
   * round trip.
   */
  entries(
    workspace: WorkspaceId,
    positions: ReadonlyArray<Sequence>,
    bytesMax: number,
  ): Effect.Effect<CutEntries, E>
  /** The parts of log entries, in the order of the entries and of their parts. */
  parts(workspace: WorkspaceId, positions: ReadonlySet<Sequence>): Effect.Effect<ReadonlyArray<Row>, E>
  /**
   * The positions less than `before` of entries with evidence that two people may be one (`evidenceIn`), newest first. If
   * `between` is given, only entries about one of these subjects of which another part is about one of them. Then looks at no
   * more than `rowsPerQueryMax` parts.
   */
  evidence(
    workspace: WorkspaceId,
    between: ReadonlyArray<SubjectKey> | null,
    before: Sequence | null,
    limit: number,
  ): Effect.Effect<ReadonlyArray<Sequence>, E>
  countedLog(workspace: WorkspaceId): Effect.Effect<CountedLog, E>
  /** Counts the entries of a block that was counted. */
  countBlock(
    workspace: WorkspaceId,
    block: number,
    steps: CountedSteps,
  ): Effect.Effect<ReadonlyArray<CountedGroup>, E>
  /** Counts the entries from a position up to but not including another, at most `rowsPerQueryMax`, one by one. */
  countEntries(
    workspace: WorkspaceId,
    first: number,
    end: number,
    steps: CountedSteps,
  ): Effect.Effect<ReadonlyArray<CountedGroup>, E>
  /** The rows of senders, with the columns `id` and `doc`. */
  senders(workspace: WorkspaceId, ids: ReadonlySet<SenderId>): Effect.Effect<ReadonlyArray<Row>, E>
  /** The documents of rejected calls by their positions in the log. */
  rejectedCalls(
    workspace: WorkspaceId,
    positions: ReadonlyArray<Sequence>,
  ): Effect.Effect<ReadonlyArray<Row>, E>
  /** Those of the given positions whose rejected calls are erased, and not yet removed by housekeeping. */
  emptiedCalls(
    workspace: WorkspaceId,
    positions: ReadonlyArray<Sequence>,
  ): Effect.Effect<ReadonlyArray<Sequence>, E>
}

/**
 * Runs one slice of a read: a limited number of statements on one snapshot. A read of several slices
 * sees changes that are committed in between. A slice may run again from its start, so it must not change anything
 * outside itself.
 */
export type Read = <A>(
  slice: <E>(ask: ReadQueries<E>) => Effect.Effect<A, E>,
) => Effect.Effect<A, StoreUnavailable>

/** Runs a read of one or more slices. `what` completes the sentence "the store cannot read … now". */
export type Reading = <A>(
  what: string,
  body: (read: Read) => Effect.Effect<A, StoreUnavailable>,
) => Effect.Effect<A, StoreUnavailable>
