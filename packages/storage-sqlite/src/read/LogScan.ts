import { hasPartOf, toActivityView, type ActivityRecord } from "@inlet/core/catalog/ActivityView"
import type { ActivityScan } from "@inlet/core/catalog/ActivityScan"
import type { Digest } from "@inlet/core/ports/Digest"
import type { ActivityFilter, PageRequest } from "@inlet/core/catalog/Catalog"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { Outcome } from "@inlet/core/log/Outcome"
import { kindCodes, outcomeCodes } from "@inlet/storage/codes"
import { integer, text, type Row } from "@inlet/storage/columns"
import type { Database } from "../engine/Database.ts"
import { nameColumn, sequenceOf } from "@inlet/storage/entryRows"
import { readFacets, type Facets } from "../log/facets.ts"
import { readStretches, type Stretch } from "../log/stretches.ts"
import { Positions } from "../log/OffsetBitmap.ts"
import { readRecords, type RecordReader } from "./activityRecords.ts"
import { runEntries, runOf, type Order } from "../log/runs.ts"
import { lightRowsMax, rowsPerLightRow, rowsPerLookMax, Slice } from "./Slice.ts"
import { fromStored } from "@inlet/storage/storedText"

/** What a scan reads the log with. */
interface LogReader {
  readonly stretch: (workspace: WorkspaceId, from: number, order: Order) => Stretch | undefined
  readonly facets: (workspace: number, run: number) => Facets
  /** Which entries of a run are about one of some subjects. */
  readonly about: (run: number, keys: ReadonlyArray<SubjectKey>, positions: Positions) => number
  /** Positions of the entries between two that have a part of one of some subjects. */
  readonly withParts: (
    keys: ReadonlyArray<SubjectKey>,
    stretch: Pick<Stretch, "first" | "end">,
  ) => ReadonlySet<number>
  /** Entries between two positions, without their documents. */
  readonly light: (workspace: WorkspaceId, first: number, end: number) => ReadonlyArray<Row>
  readonly records: RecordReader
}

/** What a scan looks for. */
interface Wanted {
  readonly workspace: WorkspaceId
  readonly filter: ActivityFilter
  readonly order: Order
  /** Subjects that the entries are about: those of a person. */
  readonly subjects: ReadonlyArray<SubjectKey> | null
  /** Bytes of entries that may be collected. */
  readonly bytesMax: number
}

/** Prepares what scans of the log read with. */
export const scanner = (
  database: Database,
  digest: Digest["Service"],
): ((wanted: Wanted, after: PageRequest<Sequence>["after"]) => ActivityScan) => {
  const about = database.prepareByPlace(
    "SELECT found.sequence FROM json_each(?) AS wanted CROSS JOIN timeline AS found ON found.subject = wanted.value WHERE found.run = ?",
  )
  const withParts = database.prepareByPlace(
    "SELECT found.sequence FROM json_each(?) AS wanted CROSS JOIN timeline AS found ON found.subject = wanted.value WHERE found.run = ? AND found.sequence >= ? AND found.sequence < ?",
  )
  const light = database.prepareByPlace(
    "SELECT sequence, subject, kind, outcome, name FROM activity WHERE sequence >= ? AND sequence < ? AND workspace = ?",
  )
  const reader: LogReader = {
    stretch: readStretches(database),
    facets: readFacets(database),
    about: (run, keys, positions) => {
      const rows = about.all(`[${keys.join()}]`, run)
      for (const row of rows) positions.add(integer(row[0]) - run * runEntries)
      return rows.length
    },
    withParts: (keys, { end, first }) => {
      const positions = new Set<number>()
      for (let run = runOf(first); run <= runOf(end - 1); run++) {
        for (const row of withParts.all(`[${keys.join()}]`, run, first, end)) positions.add(integer(row[0]))
      }
      return positions
    },
    light: (workspace, first, end) => light.all(first, end, workspace),
    records: readRecords(database, digest),
  }
  return (wanted, after) => new LogScan(reader, wanted, after)
}

/** Looks through the log: indexed runs by their facets, the newest entries one by one. */
class LogScan implements ActivityScan {
  readonly items: Array<ActivityRecord> = []
  ended = false
  private readonly reader: LogReader
  private readonly wanted: Wanted
  private readonly isWanted: (row: Row, withParts: ReadonlySet<number>) => boolean
  private readonly isNamed: (stored: string) => boolean
  private lookedTo: number
  private bytes = 0
  /** Positions in the order of the scan that may match, from `at` on, and how far the log was looked through for them. */
  private found: ReadonlyArray<number> = []
  private at = 0
  private through: number
  /** Subjects that a run was looked through for, where they are too many for one look. */
  private partly: { readonly run: number; readonly positions: Positions; keys: number } | null = null

  constructor(reader: LogReader, wanted: Wanted, after: Sequence | null) {
    this.reader = reader
    this.wanted = wanted
    this.isNamed = namedBy(wanted.filter)
    this.isWanted = rowFilter(wanted, this.isNamed)
    this.lookedTo = after ?? (wanted.order === "asc" ? 0 : Number.MAX_SAFE_INTEGER)
    this.through = this.lookedTo
  }

  get position(): Sequence | null {
    return this.lookedTo < 1 ? null : sequenceOf(this.lookedTo)
  }

  get isFull(): boolean {
    return this.bytes > this.wanted.bytesMax
  }

  slice(itemsMax: number): void {
    const slice = new Slice()
    while (!this.ended && !this.isFull && !slice.isOver && this.items.length < itemsMax) {
      if (this.at < this.found.length) this.readEntries(slice, itemsMax - this.items.length)
      else this.look(slice)
    }
  }

  /** Reads the next entries that may match, and collects those that do. */
  private readEntries(slice: Slice, itemsMax: number): void {
    const positions = this.found.slice(this.at, this.at + Math.min(itemsMax, slice.documents))
    slice.rows -= positions.length
    const room = Math.max(this.wanted.bytesMax - this.bytes, 0)
    const { looked, read } = this.reader.records(positions, this.wanted.workspace, slice, room)
    for (const { bytes, record } of read) {
      if (!matches(record, this.wanted.filter)) continue
      this.items.push(record)
      this.bytes += bytes
    }
    this.at += looked
    this.lookedTo = this.at < this.found.length ? (positions[looked - 1] ?? this.lookedTo) : this.through
  }

  /** Finds the next positions that may match. */
  private look(slice: Slice): void {
    const { order, workspace } = this.wanted
    const stretch = this.reader.stretch(workspace, this.through, order)
    slice.rows--
    if (stretch === undefined) {
      this.ended = true
      return
    }
    const { end, first, run } = stretch
    const offsets = run === null ? undefined : this.lookInRun(slice, run)
    if (offsets === "partly") return
    if (offsets === undefined || run === null) {
      const part = partOf(stretch, order)
      this.found = inOrder(this.lookAtRows(slice, part), order)
      this.through = order === "asc" ? part.end - 1 : part.first
    } else {
      const start = run * runEntries
      const found = offsets.offsets(first - start, end - start).map((offset) => start + offset)
      this.found = inOrder(found, order)
      this.through = order === "asc" ? end - 1 : first
    }
    this.at = 0
    if (this.found.length === 0) this.lookedTo = this.through
  }

  /** Looks at the facets of a run; undefined where they do not say enough, so that its rows have to be looked at. */
  private lookInRun(slice: Slice, run: number): Positions | "partly" | undefined {
    const { filter, subjects, workspace } = this.wanted
    const facets = this.reader.facets(workspace, run)
    const conditions: Array<Positions> = []
    if (filter.kind !== null) conditions.push(facets.ofKinds([kindCodes[filter.kind]]))
    if (filter.outcome !== null) conditions.push(facets.ofOutcomes(storedOutcomes(filter.outcome)))
    if (filter.name !== null) conditions.push(facets.ofName(nameColumn(filter.name) ?? ""))
    slice.rows -= 10
    if (filter.search !== null) {
      const named = facets.ofNames(this.isNamed)
      slice.rows -= named?.names ?? 1
      if (named !== undefined) conditions.push(named.positions)
      else if (subjects === null) return undefined
    }
    if (subjects !== null) {
      const about = this.lookForSubjects(slice, run, subjects)
      if (about === undefined) return "partly"
      conditions.push(about)
    }
    const [all = facets.ofAny(), ...others] = conditions
    for (const other of others) all.keepOnly(other)
    return all
  }

  /** Looks for the entries of some subjects in a run; undefined while there are more subjects to look for. */
  private lookForSubjects(
    slice: Slice,
    run: number,
    subjects: ReadonlyArray<SubjectKey>,
  ): Positions | undefined {
    const partly = this.partly?.run === run ? this.partly : { run, positions: new Positions(), keys: 0 }
    const keys = subjects.slice(partly.keys, partly.keys + subjectsPerLook)
    slice.rows -= keys.length + this.reader.about(run, keys, partly.positions)
    partly.keys += keys.length
    this.partly = partly.keys < subjects.length ? partly : null
    return this.partly === null ? partly.positions : undefined
  }

  private lookAtRows(slice: Slice, { end, first }: Pick<Stretch, "first" | "end">): ReadonlyArray<number> {
    const { subjects, workspace } = this.wanted
    slice.rows -= (end - first) * rowsPerLightRow + (subjects?.length ?? 0)
    const withParts = subjects === null ? none : this.reader.withParts(subjects, { first, end })
    const rows = this.reader.light(workspace, first, end)
    return rows.filter((row) => this.isWanted(row, withParts)).map((row) => integer(row[0]))
  }
}

const none: ReadonlySet<number> = new Set()

/** Subjects that are looked for at a time. */
const subjectsPerLook = rowsPerLookMax / 4

const partOf = ({ end, first }: Stretch, order: Order) =>
  order === "asc"
    ? { first, end: Math.min(end, first + lightRowsMax) }
    : { first: Math.max(first, end - lightRowsMax), end }

const inOrder = (ascending: ReadonlyArray<number>, order: Order) =>
  order === "asc" ? ascending : ascending.toReversed()

/** Names that a scan remembers having matched. */
const rememberedNamesMax = 1000

/** Whether a stored name is searched for; a name that comes again is not matched again. */
const namedBy = ({ search }: ActivityFilter): ((stored: string) => boolean) => {
  const known = new Map<string, boolean>()
  return (stored) => {
    if (search === null) return true
    const before = known.get(stored)
    if (before !== undefined) return before
    const isNamed = search(fromStored(stored))
    if (known.size >= rememberedNamesMax) known.clear()
    known.set(stored, isNamed)
    return isNamed
  }
}

/** What a row without its document can say about a filter. */
const rowFilter = (
  { filter: { kind, name, outcome, search }, subjects }: Wanted,
  isNamed: (stored: string) => boolean,
): ((row: Row, withParts: ReadonlySet<number>) => boolean) => {
  const kindCode = kind === null ? null : kindCodes[kind]
  const stored = nameColumn(name)
  const outcomes = outcome === null ? null : storedOutcomes(outcome)
  const keys = subjects === null ? null : new Set<Row[string]>(subjects)
  return (row, withParts) =>
    (keys === null || keys.has(row[1]) || withParts.has(integer(row[0]))) &&
    (kindCode === null || row[2] === kindCode) &&
    (outcomes === null || outcomes.some((code) => row[3] === code)) &&
    (stored === null || row[4] === stored) &&
    (search === null || (row[4] !== null && isNamed(text(row[4]))))
}

/** A pending operation is an applied or a partial one once it is somebody's. */
const storedOutcomes = (outcome: Outcome): ReadonlyArray<number> =>
  outcome === "applied" || outcome === "partial"
    ? [outcomeCodes[outcome], outcomeCodes.pending]
    : [outcomeCodes[outcome]]

const matches = (
  record: ActivityRecord,
  { kind, name, outcome, person, search }: ActivityFilter,
): boolean => {
  if (kind === null && name === null && outcome === null && person === null && search === null) return true
  const view = toActivityView(record)
  return (
    (kind === null || view.kind === kind) &&
    (name === null || view.name === name) &&
    (search === null || (view.name !== null && search(view.name))) &&
    (outcome === null || view.outcome === outcome) &&
    (person === null ||
      view.person?.key === person.key ||
      view.subject === person.key ||
      hasPartOf(view, person))
  )
}
