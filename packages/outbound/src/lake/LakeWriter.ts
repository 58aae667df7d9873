import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import { lakeFlushCursor, type LakeFile, type LakeTable } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import { Sequence } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import type { Copied, RangePaths, RangeState } from "@inlethq/lake/thread/Copied"
import { filePath } from "@inlethq/lake/layout"
import type { Finished } from "@inlethq/lake/thread/ParquetFile"
import { Effect } from "effect"
import { join } from "node:path"
import type { Copying } from "./copying.ts"
import type { LakeCommits } from "./LakeCommits.ts"
import {
  busyPagesMax,
  busyShare,
  copiedPagesMax,
  fileBytesMax,
  fileMsMax,
  fileRowsMax,
  flushLookMs,
  rangeDeletionsMax,
  rangeSubjectsMax,
} from "./lakeLimits.ts"
import { countFile, countRows } from "./lakeMetrics.ts"
import { monotonicMs } from "./monotonicMs.ts"

/** The files that are open, and what is in them. */
interface OpenFiles {
  /** The first position of their range. */
  readonly from: number
  readonly paths: RangePaths
  /** The time of `monotonicMs` at which the first entry was copied. */
  readonly openedAt: number
  readonly range: RangeState
}

/**
 * Writes the log into files. It copies ahead of the committed position: rows wait in files that nobody sees, until these are
 * complete. After a failure they are copied again.
 */
export class LakeWriter {
  /** Every position up to this one is in a committed file. */
  committed: Sequence | null
  /** Every position up to this one is in a committed or in an open file. */
  private copiedTo: Sequence | null
  private readonly commits: LakeCommits
  private readonly copying: Copying
  private open: OpenFiles | null = null
  private hasWritten = false
  private restMs = 0
  private flushReadAt = -Infinity
  private flushPosition = 0
  /** The receipt time of the oldest entry that is in no committed file, or null if none is known. */
  oldestReceivedAt: EpochMillis | null = null

  constructor(commits: LakeCommits, copying: Copying, position: Sequence | null) {
    this.commits = commits
    this.copying = copying
    this.committed = position
    this.copiedTo = position
  }

  /** Waits so that a backlog leaves most of the machine to the commits that run. */
  readonly rest: Effect.Effect<void> = Effect.suspend(() => {
    const { restMs } = this
    this.restMs = 0
    return restMs === 0 ? Effect.void : Effect.sleep(restMs)
  })

  /**
   * Copies the next entries. Completes the open files if they are large or old enough, or if their day has ended. Returns
   * whether the log has no more entries.
   */
  get copyNext() {
    return Effect.gen({ self: this }, function* () {
      const copied = yield* this.copy
      this.copiedTo = copied.to
      this.oldestReceivedAt ??= copied.firstAt
      yield* countRows(copied.rows)
      if (copied.to !== null && (copied.dayEnds || (yield* this.isDue(copied))))
        yield* this.complete(copied.to)
      yield* this.commits.publish
      return copied
    }).pipe(
      Effect.onError(() => this.abort),
      // What was copied before the store became unavailable stays in the open files.
      Effect.flatMap(({ caughtUp, unavailable }) =>
        unavailable === null ? Effect.succeed(caughtUp) : Effect.fail(new StoreUnavailable(unavailable)),
      ),
    )
  }

  /** Notes how long the entries wait that cannot be copied. */
  get noteOldest() {
    return Effect.gen({ self: this }, function* () {
      if (this.oldestReceivedAt !== null) return
      const { workspace } = this.commits.lake
      const { items } = yield* Catalog.use((catalog) => catalog.follow(workspace, noFilter, this.committed))
      this.oldestReceivedAt = items[0]?.entry.receivedAt ?? null
    })
  }

  /** Removes the open files. The entries in them are copied again. */
  get abort() {
    return Effect.gen({ self: this }, function* () {
      const { paths } = this.open ?? this.unopened
      this.open = null
      this.copiedTo = this.committed
      yield* Effect.ignore(this.copying.abort(paths))
    })
  }

  private get copy() {
    return Effect.gen({ self: this }, function* () {
      const { workspace } = this.commits.lake
      const { from, paths } = this.open ?? this.unopened
      const { isCommitting } = yield* Turns
      const pagesMax = (yield* isCommitting) ? busyPagesMax : copiedPagesMax
      const entries = this.open === null ? 0 : this.open.range.rows + this.open.range.erased
      const asked = { workspace, after: this.copiedTo, paths, entries, pagesMax }
      const copied: Copied = yield* ThreadCatalog.use(({ reading }) => reading(this.copying.copy(asked)))
      this.restMs = (yield* isCommitting) ? copied.ms * (1 / busyShare - 1) : 0
      const openedAt = this.open?.openedAt ?? (yield* monotonicMs)
      if (copied.range !== null) this.open = { from, paths, openedAt, range: copied.range }
      return copied
    })
  }

  private isDue({ caughtUp, to }: Copied) {
    return Effect.gen({ self: this }, function* () {
      const now = yield* monotonicMs
      const { open } = this
      // A file without rows would say nothing that the next one does not say.
      if (open === null || open.range.rows === 0) return false
      const { bytes, deletions, rows, subjects } = open.range
      const isFull =
        bytes >= fileBytesMax ||
        rows >= fileRowsMax ||
        subjects >= rangeSubjectsMax ||
        deletions >= rangeDeletionsMax
      // Whoever has just begun a lake sees it as soon as the log is read.
      if (isFull || (caughtUp && !this.hasWritten) || now - open.openedAt >= fileMsMax) return true
      const flushTo = yield* this.flushTo(now)
      return flushTo > (this.committed ?? 0) && (caughtUp || (to ?? 0) >= flushTo)
    })
  }

  /** Returns the position up to which somebody asked for complete files, or 0. */
  private flushTo(now: number) {
    return Effect.gen({ self: this }, function* () {
      if (now - this.flushReadAt < flushLookMs) return this.flushPosition
      this.flushReadAt = now
      const { workspace } = this.commits.lake
      this.flushPosition =
        (yield* LogCursors.use((cursors) => cursors.position(lakeFlushCursor(workspace)))) ?? 0
      return this.flushPosition
    })
  }

  /** Completes the open files, whose range ends at a position. */
  private complete(to: Sequence) {
    return Effect.gen({ self: this }, function* () {
      const { open } = this
      if (open === null || open.range.rows === 0) return
      const { activity, deletions, erased, subjects } = yield* this.copying.close(open.paths)
      const added = [
        yield* this.put("activity", open, to, activity),
        ...(subjects === null ? [] : [yield* this.put("subjects", open, to, subjects)]),
        ...(erased === null ? [] : [yield* this.put("erased", open, to, erased)]),
      ]
      yield* this.commits.commit({
        added,
        to,
        noticed: deletions,
      })
      this.committed = to
      this.open = null
      this.oldestReceivedAt = null
      this.hasWritten = true
    })
  }

  private put(
    table: keyof RangePaths,
    { from, paths, range: { erased: erasedRows, firstAt } }: OpenFiles,
    to: Sequence,
    finished: Finished,
  ) {
    return Effect.gen({ self: this }, function* () {
      const { target, token, workspace } = this.commits.lake
      const path = filePath({ workspace, table, from, to, token, rewrite: 0, firstAt })
      yield* target.put(path, paths[table], finished.sha256)
      yield* countFile(finished.bytes)
      const erased = table === "activity" ? erasedRows : 0
      const pruned = table === "activity" ? to - from + 1 - finished.rows - erased : 0
      const range = { from: Sequence.make(from), to }
      return { table, path, ...range, generation: token, erased, pruned, ...finished } satisfies LakeFile
    })
  }

  /** The files of the next range. */
  private get unopened(): Pick<OpenFiles, "from" | "paths"> {
    const { target, token, workspace } = this.commits.lake
    const from = (this.committed ?? 0) + 1
    const at = (table: LakeTable) => join(target.workFolder, `${workspace}-${token}-${table}-${from}.parquet`)
    return { from, paths: { activity: at("activity"), subjects: at("subjects"), erased: at("erased") } }
  }
}
