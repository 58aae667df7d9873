import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Digest } from "@inlethq/core/ports/Digest"
import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer } from "@inlethq/storage/columns/columns"
import { sequenceOf } from "@inlethq/storage/columns/ids"
import { matchesFilter, nameMatcher, rowFilter, type WantedEntries } from "@inlethq/storage/search/logFilter"
import { lightRowsMax, ReadBudget, sliceDocumentsMax } from "@inlethq/storage/budgets/ReadBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { readHead } from "../tables/heads.ts"
import { findCandidates, isBefore, type Candidates } from "../log/candidates.ts"
import { chooseLists } from "../log/chooseLists.ts"
import { readRecords } from "@inlethq/storage/read/readRecords"
import { readQueries } from "./queries.ts"

/** The progress of a scan of the log. */
export interface ScanState {
  /** The scan has returned all matching entries up to this log position. */
  readonly searchedTo: number
  /** Positions of entries that may match and have not been read yet, in the order of the scan. */
  readonly found: ReadonlyArray<Sequence>
  /** The log position up to which `found` contains every entry that may match. */
  readonly through: number
  /** True if the scan has no further entries to read after `through`. */
  readonly isLast: boolean
  /** The total bytes of the entries returned so far. */
  readonly bytes: number
}

/** The result of one slice: the matching entries, and the progress of the scan. */
export interface ScannedSlice {
  readonly state: ScanState
  readonly items: ReadonlyArray<ActivityRecord>
}

/**
 * A log scan that runs in one direction and in slices. Each slice gets the progress as an argument, so that the slice
 * can run again on another connection.
 */
export class LogScan {
  readonly begin: ScanState
  private readonly digest: Digest["Service"]
  private readonly wanted: WantedEntries
  private readonly isNamed: (stored: string) => boolean
  private readonly isWanted: ReturnType<typeof rowFilter>

  constructor(digest: Digest["Service"], wanted: WantedEntries, after: Sequence | null) {
    this.digest = digest
    this.wanted = wanted
    this.isNamed = nameMatcher(wanted.filter)
    this.isWanted = rowFilter(wanted, this.isNamed)
    const from = after ?? (wanted.order === "asc" ? 0 : Number.MAX_SAFE_INTEGER)
    this.begin = { searchedTo: from, found: [], through: from, isLast: false, bytes: 0 }
  }

  /**
   * Runs one slice of a scan. Searches for the next entries that may match the filter, unless `before.found` still
   * contains such entries. Then reads some of these entries, and returns the entries that match.
   */
  slice(
    connection: Connection,
    before: ScanState,
    itemsMax: number,
  ): Effect.Effect<ScannedSlice, DatabaseError> {
    return Effect.gen({ self: this }, function* () {
      const { bytesMax, filter, workspace } = this.wanted
      const state = before.found.length > 0 ? before : yield* this.search(connection, before, itemsMax)
      if (state.found.length === 0) return { state, items: [] }
      const positions = state.found.slice(0, Math.min(itemsMax, sliceDocumentsMax))
      const room = Math.max(bytesMax - state.bytes, 0)
      const read = yield* readRecords(
        readQueries(connection),
        this.digest,
        workspace,
        positions,
        new ReadBudget(),
        room,
      )
      const matching = read.records.filter(({ record }) => matchesFilter(record, filter))
      const found = state.found.slice(read.looked)
      const last = positions[read.looked - 1]
      const searchedTo = found.length > 0 && last !== undefined ? last : state.through
      const bytes = matching.reduce((sum, own) => sum + own.bytes, state.bytes)
      return { state: { ...state, found, searchedTo, bytes }, items: matching.map(({ record }) => record) }
    })
  }

  /** Finds the next log entries that may match the filter. */
  private search(
    connection: Connection,
    state: ScanState,
    itemsMax: number,
  ): Effect.Effect<ScanState, DatabaseError> {
    return Effect.gen({ self: this }, function* () {
      const { order, subjects, workspace } = this.wanted
      const lists = yield* chooseLists(connection, this.wanted, this.isNamed)
      const rowsMax = isExact(this.wanted) ? Math.min(itemsMax, sliceDocumentsMax) : lightRowsMax
      const from = state.searchedTo
      const candidates = yield* findCandidates(connection, workspace, lists, from, order, rowsMax)
      const { rows, through } = beforeEnd(candidates, this.wanted)
      // A search by person finds only entries that are about the person or record an effect on the person. Therefore
      // the filter need not check the person again.
      const withParts = subjects === null ? none : new Set(rows.map(([position]) => integer(position)))
      const found = rows
        .filter((row) => this.isWanted({ ...row }, withParts))
        .map(([position]) => sequenceOf(integer(position)))
      const end = through ?? (yield* endOf(connection, workspace, order))
      const searchedTo = found.length === 0 ? end : from
      return { ...state, found, through: end, isLast: through === null, searchedTo }
    })
  }
}

/**
 * Returns whether the chosen index finds only entries that match the filter, so that the filter need not be checked
 * again.
 */
const isExact = ({
  filter: { about, kind, name, outcome, reasons, rules, search },
  subjects,
}: WantedEntries): boolean =>
  about === null &&
  rules === null &&
  reasons === null &&
  name === null &&
  search === null &&
  (subjects === null || (kind === null && outcome === null))

/**
 * Removes the rows at or after the log position `end`, at which the scan must stop. Sets `through`, the last position
 * that was searched, to null if no position before `end` is left to search.
 */
const beforeEnd = (
  { rows, through }: Candidates,
  { end, order }: Pick<WantedEntries, "end" | "order">,
): Candidates => {
  if (end === null) return { rows, through }
  return {
    rows: rows.filter(([position]) => isBefore(order, integer(position), end)),
    through: through !== null && isBefore(order, through, end) ? through : null,
  }
}

/** Returns whether the scan has reached the end of the log, or the position `end` at which the scan must stop. */
export const hasEnded = ({ found, isLast }: ScanState): boolean => isLast && found.length === 0

const none: ReadonlySet<number> = new Set()

/**
 * Returns the log position at which a scan ends. In ascending order, this is the newest position of the log. In
 * descending order, it is 0.
 */
const endOf = (
  connection: Connection,
  workspace: WorkspaceId,
  order: "asc" | "desc",
): Effect.Effect<number, DatabaseError> =>
  order === "desc"
    ? Effect.succeed(0)
    : Effect.map(readHead(connection, workspace), ({ nextSequence }) => nextSequence - 1)
