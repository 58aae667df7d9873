import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import { Catalog } from "@inlet/core/catalog/Catalog"
import { unmergedIn } from "@inlet/core/history/mergeReceipt"
import type { LakeFile, LakeTable } from "@inlet/core/ports/LakeFiles"
import { Sequence } from "@inlet/core/values/Identifier"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import { Turns } from "@inlet/engine/reads/ReadTurns"
import type { LakeRow } from "@inlet/lake/columns"
import { filePath } from "@inlet/lake/layout"
import { LakeThread } from "@inlet/lake/thread/LakeThread"
import { Clock, Effect, Option } from "effect"
import { join } from "node:path"
import type { Batch } from "../follower/Destination.ts"
import { before, byDay, isLaterDay, OpenRange, positionOr0 } from "./OpenRange.ts"
import type { LakeCommits } from "./LakeCommits.ts"
import { fileBytesMax, fileMsMax, fileRowsMax } from "./lakeLimits.ts"
import { countFile, countRows } from "./lakeMetrics.ts"

/**
 * Writes the log into files. It reads ahead of the committed position: rows wait in files that nobody sees, until these are
 * complete. After a failure they are read and written again.
 */
export class LakeWriter {
  /** Every position up to this one is in a committed file. */
  committed: Sequence | null
  /** Every position up to this one is in a committed or in an open file. */
  readTo: Sequence | null
  private readonly commits: LakeCommits
  private open: OpenRange | null = null
  private hasWritten = false
  /** The receipt time of the oldest entry that is in no committed file, or null if none was read. */
  oldestReceivedAt: EpochMillis | null = null

  constructor(commits: LakeCommits, position: Sequence | null) {
    this.commits = commits
    this.committed = position
    this.readTo = position
  }

  /** Notes how long the entries wait that are read now. They wait on if they cannot be written. */
  saw({ records }: Batch): void {
    this.oldestReceivedAt ??= records[0]?.entry.receivedAt ?? null
  }

  /** Takes the next entries. Completes the open files if they are large or old enough. */
  add({ caughtUp, records, to }: Batch) {
    return Effect.gen({ self: this }, function* () {
      for (const day of byDay(records)) {
        if (this.open !== null && isLaterDay(this.open, day) && day[0] !== undefined)
          yield* this.flush(Sequence.make(before(day[0])))
        yield* this.append(day)
      }
      this.readTo = to
      if (to !== null && (yield* this.isDue(caughtUp))) yield* this.flush(to)
      yield* this.commits.publish
    }).pipe(Effect.onError(() => this.abort))
  }

  /** Removes the open files. The entries in them are read again. */
  get abort() {
    return Effect.gen({ self: this }, function* () {
      const { open } = this
      this.open = null
      this.readTo = this.committed
      if (open === null) return
      const paths = tables.map((table) => this.workPath(table, open))
      yield* Effect.ignore(LakeThread.use(({ ask }) => ask("abort", { paths })))
    })
  }

  private append(records: ReadonlyArray<ActivityRecord>) {
    return Effect.gen({ self: this }, function* () {
      const [first] = records
      if (first === undefined) return
      const now = yield* Clock.currentTimeMillis
      const open = (this.open ??= new OpenRange(positionOr0(this.committed) + 1, first.entry.receivedAt, now))
      const turns = yield* Turns
      const rows = yield* turns.work(() => open.rowsOf(records))
      yield* addSeparated(open, records)
      open.bytes = yield* this.write("activity", open, rows)
      yield* countRows(rows.length)
    })
  }

  private write(table: LakeTable, open: OpenRange, rows: ReadonlyArray<LakeRow>) {
    const path = this.workPath(table, open)
    return LakeThread.use(({ ask }) => ask("append", { table, path, rows }))
  }

  private isDue(caughtUp: boolean) {
    return Effect.map(Clock.currentTimeMillis, (now) => {
      const { open } = this
      // A file without rows would say nothing that the next one does not say.
      if (open === null || open.rows === 0) return false
      const isFull = open.bytes >= fileBytesMax || open.rows >= fileRowsMax
      // Whoever has just begun a lake sees it as soon as the log is read.
      return isFull || (caughtUp && !this.hasWritten) || now - open.openedAt >= fileMsMax
    })
  }

  /** Completes the open files, whose range ends at a position. */
  private flush(to: Sequence) {
    return Effect.gen({ self: this }, function* () {
      const { open } = this
      if (open === null || open.rows === 0) return
      const added = [
        yield* this.complete("activity", open, to, []),
        ...(open.subjects.size === 0
          ? []
          : [yield* this.complete("subjects", open, to, open.subjects.inOrder())]),
        ...(open.deletions.length === 0
          ? []
          : [yield* this.complete("erased", open, to, open.deletions.map(erasedRow))]),
      ]
      yield* this.commits.commit({
        added,
        replaced: [],
        to,
        noticed: open.deletions,
        followed: [],
        rewritten: [],
      })
      this.committed = to
      this.open = null
      this.oldestReceivedAt = null
      this.hasWritten = true
    })
  }

  private complete(table: LakeTable, open: OpenRange, to: Sequence, rows: ReadonlyArray<LakeRow>) {
    return Effect.gen({ self: this }, function* () {
      const { target, token, workspace } = this.commits.lake
      const { from, firstAt } = open
      if (rows.length > 0) yield* this.write(table, open, rows)
      const work = this.workPath(table, open)
      const finished = yield* LakeThread.use(({ ask }) => ask("finish", { path: work }))
      const path = filePath({ workspace, table, from, to, token, rewrite: 0, firstAt })
      yield* target.put(path, work, finished.sha256)
      yield* countFile(finished.bytes)
      const erased = table === "activity" ? open.erased : 0
      const pruned = table === "activity" ? to - from + 1 - finished.rows - erased : 0
      const range = { from: Sequence.make(from), to }
      return { table, path, ...range, generation: token, erased, pruned, ...finished } satisfies LakeFile
    })
  }

  private workPath(table: LakeTable, { from }: OpenRange): string {
    const { target, token, workspace } = this.commits.lake
    return join(target.workFolder, `${workspace}-${token}-${table}-${from}.parquet`)
  }
}

/** The entry that undoes a merge is about the primary, and says only the number of who is a person again. */
const addSeparated = Effect.fnUntraced(function* (open: OpenRange, records: ReadonlyArray<ActivityRecord>) {
  for (const { entry } of records) {
    const key = entry.kind === "unmerge" ? unmergedIn(entry.data, entry.workspace) : undefined
    if (key === undefined) continue
    const found = yield* Catalog.use((catalog) => catalog.person(entry.workspace, key))
    if (Option.isSome(found)) open.subjects.addSeparated(entry.sequence, found.value.person)
  }
})

const tables: ReadonlyArray<LakeTable> = ["activity", "subjects", "erased"]

const erasedRow = ({ position, receivedAt, subject }: OpenRange["deletions"][number]): LakeRow => [
  position,
  subject,
  receivedAt,
]
