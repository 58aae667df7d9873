import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import { unmergedIn } from "@inlethq/core/person/mergeReceipt"
import type { LakeTable } from "@inlethq/core/ports/LakeFiles"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Person } from "@inlethq/core/state/Person"
import { Sequence, type SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { NamesThen } from "@inlethq/log/history/IdentifierWalk"
import { PastNames } from "@inlethq/log/history/PastNames"
import { Clock, Effect, Option, Result } from "effect"
import type { LakeRow } from "../columns.ts"
import type { Finished } from "./ParquetFile.ts"
import type { Closed, Copied, RangePaths, RangeState, ToCopy } from "./Copied.ts"
import { givenIn, type GivenSince } from "../rows/subjectRows.ts"
import { OpenRange } from "./OpenRange.ts"

/** Files that rows are added to. */
export interface RowFiles<E> {
  /** Adds rows to a file, which the first ones open. Returns how many bytes of it are on the disk. */
  append(table: LakeTable, path: string, rows: ReadonlyArray<LakeRow>): Effect.Effect<number, E>
  finish(path: string): Effect.Effect<Finished, E>
}

/** The largest number of workspaces whose people's names are kept in memory. */
const namedWorkspacesMax = 4

/** Copies the log into files, in whichever thread it runs. */
export class LogCopier<E> {
  private readonly catalog: Catalog["Service"]
  private readonly files: RowFiles<E>
  private readonly ranges = new Map<string, OpenRange>()
  private readonly names = new Map<WorkspaceId, PastNames>()

  constructor(catalog: Catalog["Service"], files: RowFiles<E>) {
    this.catalog = catalog
    this.files = files
  }

  /** Copies entries until the log or its day ends, or `pagesMax` pages are read. If a file fails, its range is worth nothing. */
  copy({ after, entries, pagesMax, paths, workspace }: ToCopy): Effect.Effect<Copied, E> {
    return Effect.gen({ self: this }, function* () {
      const range = this.ranges.get(paths.activity)
      if ((range?.entries ?? 0) !== entries) throw new RangeError(`the rows of ${paths.activity} are lost`)
      const startedAt = yield* nowMs
      let to = after
      let rows = 0
      let firstAt: EpochMillis | null = null
      const ended = (caughtUp: boolean, dayEnds: boolean, failure: StoreUnavailable | null) =>
        Effect.map(nowMs, (endedAt): Copied => {
          const unavailable =
            failure === null ? null : { operation: failure.operation, cause: String(failure.cause) }
          const state = this.stateOf(paths)
          return { to, caughtUp, dayEnds, rows, firstAt, range: state, ms: endedAt - startedAt, unavailable }
        })
      for (let pages = 1; ; pages++) {
        const read = yield* Effect.result(this.page(workspace, to))
        if (Result.isFailure(read)) return yield* ended(false, false, read.failure)
        const { caughtUp, items, readTo, ...more } = read.success
        const { taken, written } = yield* this.write(paths, items, more)
        rows += written
        firstAt ??= items[0]?.entry.receivedAt ?? null
        const next = items[taken]
        to = next === undefined ? (readTo ?? to) : Sequence.make(next.entry.sequence - 1)
        if (next !== undefined || caughtUp || pages >= pagesMax)
          return yield* ended(caughtUp && next === undefined, next !== undefined, null)
      }
    })
  }

  /** Completes the files of a range, which must have rows. */
  close(paths: RangePaths): Effect.Effect<Closed, E> {
    return Effect.gen({ self: this }, function* () {
      const { deletions, subjects } = this.rangeOf(paths)
      const complete = (table: "subjects" | "erased", rows: ReadonlyArray<LakeRow>) =>
        rows.length === 0
          ? Effect.succeed(null)
          : Effect.andThen(this.files.append(table, paths[table], rows), this.files.finish(paths[table]))
      const closed = {
        activity: yield* this.files.finish(paths.activity),
        subjects: yield* complete("subjects", subjects.inOrder()),
        erased: yield* complete(
          "erased",
          deletions.map(({ position, receivedAt, subject }) => [position, subject, receivedAt]),
        ),
        deletions,
      }
      this.ranges.delete(paths.activity)
      return closed
    })
  }

  /** Forgets the ranges of files that are removed. */
  forget(files: ReadonlyArray<string>): void {
    for (const path of files) this.ranges.delete(path)
  }

  private page(workspace: ToCopy["workspace"], after: Sequence | null) {
    return Effect.gen({ self: this }, function* () {
      const page = yield* this.catalog.follow(workspace, noFilter, after)
      const separated = yield* separatedIn(this.catalog, page.items)
      const names = yield* this.namesIn(workspace).ofPage(after, page.items)
      return { ...page, names, separated, given: yield* givenSinceIn(this.catalog, workspace, page.items) }
    })
  }

  private namesIn(workspace: WorkspaceId): PastNames {
    const found = this.names.get(workspace) ?? new PastNames(this.catalog, workspace)
    this.names.delete(workspace)
    const [oldest] = this.names.size < namedWorkspacesMax ? [] : this.names.keys()
    if (oldest !== undefined) this.names.delete(oldest)
    this.names.set(workspace, found)
    return found
  }

  /** Writes the rows of entries until a later day begins. Returns how many entries it took, and how many rows they have. */
  private write(
    paths: RangePaths,
    records: ReadonlyArray<ActivityRecord>,
    { given, names, separated }: BesideEntries,
  ) {
    return Effect.gen({ self: this }, function* () {
      const [first] = records
      if (first === undefined) return { taken: 0, written: 0 }
      const range = this.ranges.get(paths.activity) ?? new OpenRange(first.entry.receivedAt)
      this.ranges.set(paths.activity, range)
      const rows: Array<LakeRow> = []
      let taken = 0
      for (const record of records) {
        if (range.isBefore(record)) break
        const row = range.add(record, given, names.get(record.entry.sequence) ?? null)
        if (row !== null) rows.push(row)
        const person = separated.get(record.entry.sequence)
        if (person !== undefined) range.subjects.addSeparated(record.entry.sequence, person)
        taken++
      }
      if (rows.length > 0) range.bytes = yield* this.files.append("activity", paths.activity, rows)
      return { taken, written: rows.length }
    })
  }

  private stateOf({ activity }: RangePaths): RangeState | null {
    const range = this.ranges.get(activity)
    if (range === undefined) return null
    const { bytes, deletions, erased, firstAt, rows, subjects } = range
    return { bytes, erased, firstAt, rows, subjects: subjects.size, deletions: deletions.length }
  }

  private rangeOf({ activity }: RangePaths): OpenRange {
    const range = this.ranges.get(activity)
    if (range === undefined) throw new RangeError(`${activity} is not open`)
    return range
  }
}

/** What the rows of entries say that the entries do not: what people were called, and who belongs to whom. */
interface BesideEntries {
  readonly names: ReadonlyMap<Sequence, NamesThen>
  readonly given: GivenSince
  readonly separated: ReadonlyMap<Sequence, Person>
}

/**
 * Returns since when the subjects that entries give to people belong to them, which the entries do not say. Mostly it is in
 * the people whom the entries are about.
 */
const givenSinceIn = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  records: ReadonlyArray<ActivityRecord>,
): Effect.fn.Return<GivenSince, StoreUnavailable> {
  const found = new Map<SubjectKey, EpochMillis>()
  const elsewhere = new Set<SubjectKey>()
  for (const record of records) {
    const person = record.subject?._tag === "Person" ? record.subject : record.owner
    for (const key of givenIn(record)) {
      const since = person?.attached.find((one) => one.key === key)?.since
      if (since === undefined) elsewhere.add(key)
      else found.set(key, since)
    }
  }
  if (elsewhere.size === 0) return found
  for (const [key, { since }] of yield* catalog.ownersAmong(workspace, elsewhere)) {
    // Whoever is a person again was one when they were merged, and then everything belonged to the other.
    found.set(key, since ?? 0)
  }
  return found
})

/**
 * Returns who is a person again because a merge was undone, by position. Such an entry is about the primary, and says only
 * the number of the other.
 */
const separatedIn = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  records: ReadonlyArray<ActivityRecord>,
): Effect.fn.Return<ReadonlyMap<Sequence, Person>, StoreUnavailable> {
  const separated = new Map<Sequence, Person>()
  for (const { entry } of records) {
    const key = entry.kind === "unmerge" ? unmergedIn(entry.data, entry.workspace) : undefined
    if (key === undefined) continue
    const found = yield* catalog.person(entry.workspace, key)
    if (Option.isSome(found)) separated.set(entry.sequence, found.value.person)
  }
  return separated
})

const nowMs: Effect.Effect<number> = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos) / 1e6)
