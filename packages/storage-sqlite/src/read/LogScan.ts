import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Digest } from "@inlethq/core/ports/Digest"
import type { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import { kindCodes } from "@inlethq/storage/columns/codes"
import { integer, type Row } from "@inlethq/storage/columns/columns"
import type { ReadDatabase } from "../engine/Database.ts"
import { nameColumn } from "@inlethq/storage/rows/entryRows"
import { sequenceOf } from "@inlethq/storage/columns/ids"
import type { Facets } from "../log/facets.ts"
import { logReader, type LogReader, type Positions } from "./LogReader.ts"
import type { LogRange } from "./logRanges.ts"
import { OffsetBitmap } from "../log/OffsetBitmap.ts"
import type { OpenScan, Scanned } from "@inlethq/storage/read/activity"
import { readRecords } from "@inlethq/storage/read/readRecords"
import type { ReadQueries } from "@inlethq/storage/read/ReadQueries"
import { Effect } from "effect"
import { runEntries, type Order } from "../log/runs.ts"
import {
  lightRowsMax,
  rowsPerLightRow,
  rowsPerQueryMax,
  ReadBudget,
  sliceDocumentsMax,
} from "@inlethq/storage/budgets/ReadBudget"
import { reasonCodes, ruleCode } from "@inlethq/storage/columns/entryCodes"
import type { WantedSubjects } from "@inlethq/storage/search/namedSubjects"
import {
  matchesFilter,
  nameMatcher,
  needsCodes,
  rowFilter,
  storedOutcomes,
  wantsAll,
  type WantedEntries,
} from "@inlethq/storage/search/logFilter"

/** Prepares the queries with which the log is scanned. */
export const scanner = (
  database: ReadDatabase,
  queries: ReadQueries<never>,
  digest: Digest["Service"],
): OpenScan => {
  const reader = logReader(database)
  return (read, wanted, after) => {
    const scan = new LogScan(reader, queries, digest, wanted, after)
    return (itemsMax) => read(() => scan.slice(itemsMax))
  }
}

/**
 * Searches the log in slices. A scan searches indexed runs by their facets, and checks the newest entries one by one.
 */
class LogScan {
  private items: Array<ActivityRecord> = []
  private ended = false
  private readonly reader: LogReader
  private readonly queries: ReadQueries<never>
  private readonly digest: Digest["Service"]
  private readonly wanted: WantedEntries
  private readonly isWanted: (row: Row, withParts: ReadonlySet<number>) => boolean
  private readonly isNamed: (stored: string) => boolean
  private readonly isNarrow: boolean
  /** The few subjects whose entries are all wanted, or null if the scan looks for anything else. */
  private readonly onlyKeys: ReadonlyArray<SubjectKey> | null
  private searchedTo: number
  private bytes = 0
  /** Whether no range of the log has been searched yet. */
  private isFirst = true
  /**
   * Log positions of entries that may match, in the order of the scan. Elements before the index `at` have been
   * processed.
   */
  private found: ReadonlyArray<number> = []
  private at = 0
  /**
   * All entries up to this log position, in the order of the scan, have been searched. Those that may match are in
   * `found`.
   */
  private through: number
  /**
   * The progress of searching a run for a person with more keys than one query accepts. A person's keys include those
   * of visitors and people merged into the person. The first `keys` keys have been searched for, and `positions`
   * contains the matching entries so far.
   */
  private partly: { readonly run: number; readonly positions: OffsetBitmap; keys: number } | null = null

  constructor(
    reader: LogReader,
    queries: ReadQueries<never>,
    digest: Digest["Service"],
    wanted: WantedEntries,
    after: Sequence | null,
  ) {
    this.reader = reader
    this.queries = queries
    this.digest = digest
    this.wanted = wanted
    this.isNarrow = canNarrow(wanted)
    this.onlyKeys = onlyKeysOf(wanted)
    this.isNamed = nameMatcher(wanted.filter)
    this.isWanted = rowFilter(wanted, this.isNamed)
    this.searchedTo = after ?? (wanted.order === "asc" ? 0 : Number.MAX_SAFE_INTEGER)
    this.through = this.searchedTo
  }

  private get isFull(): boolean {
    return this.bytes > this.wanted.bytesMax
  }

  /** Scans a bounded number of rows. Stops earlier if `itemsMax` entries are collected or the scan is full. */
  slice(itemsMax: number): Effect.Effect<Scanned> {
    this.items = []
    return Effect.map(this.collect(new ReadBudget(), itemsMax), () => {
      const position = this.searchedTo < 1 ? null : sequenceOf(this.searchedTo)
      return { items: this.items, position, hasEnded: this.ended, isFull: this.isFull }
    })
  }

  private collect(budget: ReadBudget, itemsMax: number): Effect.Effect<void> {
    while (!this.ended && !this.isFull && !budget.isOver && this.items.length < itemsMax) {
      if (this.at < this.found.length) {
        const read = this.readEntries(budget, itemsMax - this.items.length)
        return Effect.flatMap(read, () => this.collect(budget, itemsMax))
      }
      this.search(budget, itemsMax)
    }
    return Effect.void
  }

  /** Reads the next entries that may match the filter, and collects the entries that match it. */
  private readEntries(budget: ReadBudget, itemsMax: number): Effect.Effect<void> {
    const { bytesMax, filter, workspace } = this.wanted
    const positions = this.found.slice(this.at, this.at + Math.min(itemsMax, budget.documents))
    budget.rows -= positions.length
    const room = Math.max(bytesMax - this.bytes, 0)
    const wanted = positions.map(sequenceOf)
    return Effect.map(
      readRecords(this.queries, this.digest, workspace, wanted, budget, room),
      ({ looked, records }) => {
        for (const { bytes, record } of records) {
          if (!matchesFilter(record, filter)) continue
          this.items.push(record)
          this.bytes += bytes
        }
        this.at += looked
        this.searchedTo =
          this.at < this.found.length ? (positions[looked - 1] ?? this.searchedTo) : this.through
      },
    )
  }

  /** Finds the next log positions of entries that may match. */
  private search(budget: ReadBudget, itemsMax: number): void {
    const { order, workspace } = this.wanted
    const range = beforeEnd(this.reader.range(workspace, this.through, order), this.wanted)
    budget.rows--
    if (range === undefined) {
      this.ended = true
      return
    }
    const { end, first, run } = range
    if (run !== null && this.skipsTo(budget, run)) return
    if (run !== null && this.onlyKeys !== null) return this.searchForFew(budget, range, this.onlyKeys)
    // An unfiltered page mostly consists of the first entries, so it need neither look at more than it shows nor ask an index.
    const isFirst = this.isFirst && wantsAll(this.wanted)
    const offsets = run === null || isFirst ? undefined : this.searchRun(budget, run)
    if (offsets === "partly") return
    if (offsets === undefined || run === null) {
      const rowsMax = this.isNarrow && !this.isFirst ? rowsPerQueryMax : lightRowsMax
      const part = partOf(range, order, isFirst ? Math.min(itemsMax, rowsMax) : rowsMax)
      this.found = inOrder(this.searchRows(budget, part), order)
      this.through = order === "asc" ? part.end - 1 : part.first
    } else {
      const start = run * runEntries
      const found = offsets.offsets(first - start, end - start).map((offset) => start + offset)
      this.found = inOrder(found, order)
      this.through = order === "asc" ? end - 1 : first
    }
    this.isFirst = false
    this.at = 0
    if (this.found.length === 0) this.searchedTo = this.through
  }

  /** Finds the next entries of the only wanted subjects in a run, of each subject no more than a slice reads. */
  private searchForFew(budget: ReadBudget, range: LogRange, keys: ReadonlyArray<SubjectKey>): void {
    const { order, workspace } = this.wanted
    const lists = keys.map((key) => this.reader.aboutOne(workspace, key, range, order, sliceDocumentsMax))
    const ends = lists.flatMap((list) => (list.length < sliceDocumentsMax ? [] : list.slice(-1)))
    this.through = order === "asc" ? Math.min(range.end - 1, ...ends) : Math.max(range.first, ...ends)
    const found = [...new Set(lists.flat())].filter((position) =>
      order === "asc" ? position <= this.through : position >= this.through,
    )
    this.found = inOrder(
      found.toSorted((a, b) => a - b),
      order,
    )
    this.at = 0
    this.isFirst = false
    if (this.found.length === 0) this.searchedTo = this.through
    budget.rows -= keys.length + lists.flat().length
  }

  /** Skips the runs without the name or the subjects of the filter. Returns false if this run may have them. */
  private skipsTo(budget: ReadBudget, run: number): boolean {
    const { end, order } = this.wanted
    const next = this.nextRun(budget, run)
    if (next === run) return false
    this.through =
      order === "asc"
        ? Math.min(next * runEntries, end ?? Number.MAX_SAFE_INTEGER) - 1
        : Math.max(next * runEntries + runEntries, end === null ? 0 : end + 1)
    this.searchedTo = this.through
    this.isFirst = false
    return true
  }

  /** Returns the next run from a run on that may have wanted entries. */
  private nextRun(budget: ReadBudget, run: number): number {
    const { filter, order, subjects, workspace } = this.wanted
    const stored = nameColumn(filter.name)
    if (stored !== null) {
      budget.rows -= 2
      return this.reader.namedRun(workspace, stored, run, order)
    }
    if (!this.isNarrow || subjects === null || subjects.keys.length > fewKeysMax) return run
    const next = this.reader.aboutRun(workspace, subjects.keys, run, order)
    budget.rows -= (Math.abs(next - run) + 1) * subjects.keys.length
    return next
  }

  /**
   * Returns the entries of a run that may match, according to its facets and its timeline. Returns undefined if these
   * indexes cannot decide the filter, so that the rows must be read. Returns "partly" if the filter's person has
   * further keys that must be searched for first.
   */
  private searchRun(budget: ReadBudget, run: number): OffsetBitmap | "partly" | undefined {
    const { filter, subjects, workspace } = this.wanted
    const facets = this.reader.facets(workspace, run)
    const conditions: Array<OffsetBitmap> = []
    if (filter.kind !== null) conditions.push(facets.ofKinds([kindCodes[filter.kind]]))
    if (filter.outcome !== null) conditions.push(facets.ofOutcomes(storedOutcomes(filter.outcome)))
    if (filter.name !== null) conditions.push(facets.ofName(nameColumn(filter.name) ?? ""))
    if (filter.rules !== null) conditions.push(facets.ofRules(filter.rules.map(ruleCode)))
    if (filter.reasons === "any") conditions.push(facets.ofAnyReason())
    else if (filter.reasons !== null) conditions.push(facets.ofReasons(reasonCodes(filter.reasons)))
    budget.rows -= 10
    if (filter.search !== null) {
      const named = facets.ofNames(this.isNamed)
      budget.rows -= named?.names ?? 1
      if (named !== undefined) conditions.push(named.positions)
      else if (subjects === null) return undefined
    }
    if (subjects !== null) {
      const about = this.searchForSubjects(budget, run, subjects.keys)
      if (about === undefined) return "partly"
      conditions.push(withOthers(about, facets, subjects))
    }
    const [all = facets.ofAny(), ...others] = conditions
    for (const other of others) all.intersect(other)
    return all
  }

  /**
   * Searches a run for up to `subjectsPerQuery` keys of the filter's person. Returns the person's entries in the run
   * once all keys have been searched for. Until then, returns undefined.
   */
  private searchForSubjects(
    budget: ReadBudget,
    run: number,
    subjects: ReadonlyArray<SubjectKey>,
  ): OffsetBitmap | undefined {
    const partly = this.partly?.run === run ? this.partly : { run, positions: new OffsetBitmap(), keys: 0 }
    const keys = subjects.slice(partly.keys, partly.keys + subjectsPerQuery)
    budget.rows -= keys.length + this.reader.about(this.wanted.workspace, run, keys, partly.positions)
    partly.keys += keys.length
    this.partly = partly.keys < subjects.length ? partly : null
    return this.partly === null ? partly.positions : undefined
  }

  private searchRows(budget: ReadBudget, range: Positions): ReadonlyArray<number> {
    const { filter, subjects, workspace } = this.wanted
    const { end, first } = range
    // Whoever wants all entries gets those that exist without a look at their rows before.
    if (wantsAll(this.wanted)) return Array.from({ length: end - first }, (_, index) => first + index)
    budget.rows -= subjects?.keys.length ?? 0
    const withParts = subjects === null ? none : this.reader.withParts(workspace, subjects.keys, range)
    const about = subjects === null ? null : { keys: subjects.keys, withParts }
    const rows = this.isNarrow
      ? this.reader.narrow(workspace, range, { name: nameColumn(filter.name), about })
      : this.reader.light(workspace, first, end, needsCodes(this.wanted))
    budget.rows -= (end - first) * rowsPerPassedRow + rows.length * rowsPerLightRow
    return rows.filter((row) => this.isWanted(row, withParts)).map((row) => integer(row[0]))
  }
}

/**
 * Whether SQLite itself can leave out most entries by their name or subject. Entries that are wanted for their codes or
 * their kind can be about anybody.
 */
const canNarrow = (wanted: WantedEntries): boolean => {
  const { filter, subjects } = wanted
  const isOnlyAbout = subjects !== null && subjects.anonymousCodes.length === 0 && !subjects.deletions
  return !needsCodes(wanted) && (isOnlyAbout || (subjects === null && filter.name !== null))
}

const onlyKeysOf = ({ filter, subjects }: WantedEntries): ReadonlyArray<SubjectKey> | null => {
  if (subjects === null || subjects.anonymousCodes.length > 0 || subjects.deletions) return null
  const others = { ...filter, about: null, person: null, withErased: null }
  return subjects.keys.length <= fewKeysMax && wantsAll({ filter: others }) ? subjects.keys : null
}

/** The largest number of keys of people or objects for which a scan skips runs, and reads of a run only what it needs. */
const fewKeysMax = 16

/** Rows that SQLite leaves out take a fraction of the time of those that it returns. */
const rowsPerPassedRow = 1 / 4

/** Adds the wanted entries that are not stored under the keys of the wanted subjects. */
const withOthers = (
  about: OffsetBitmap,
  facets: Facets,
  { anonymousCodes, deletions }: WantedSubjects,
): OffsetBitmap => {
  if (anonymousCodes.length > 0) about.addAll(facets.ofAnonymousIds(anonymousCodes))
  if (deletions) about.addAll(facets.ofKinds([kindCodes.object_delete]))
  return about
}

const none: ReadonlySet<number> = new Set()

/** Returns the part of a range that is before the end of the scan. Returns undefined if the scan has reached its end. */
const beforeEnd = (
  range: LogRange | undefined,
  { end, order }: Pick<WantedEntries, "end" | "order">,
): LogRange | undefined => {
  if (range === undefined || end === null) return range
  const part =
    order === "asc"
      ? { ...range, end: Math.min(range.end, end) }
      : { ...range, first: Math.max(range.first, end + 1) }
  return part.first < part.end ? part : undefined
}

/**
 * The largest number of keys that one query searches for. A person has several keys after other people or visitors were
 * merged into the person.
 */
const subjectsPerQuery = rowsPerQueryMax / 4

const partOf = ({ end, first }: LogRange, order: Order, rowsMax: number) =>
  order === "asc"
    ? { first, end: Math.min(end, first + rowsMax) }
    : { first: Math.max(first, end - rowsMax), end }

const inOrder = (ascending: ReadonlyArray<number>, order: Order) =>
  order === "asc" ? ascending : ascending.toReversed()
