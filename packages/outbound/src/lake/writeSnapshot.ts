import { newestSequence } from "@inlethq/log/reading/newestSequence"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Snapshots, type Snapshot } from "@inlethq/core/catalog/Snapshots"
import { wholePerson } from "@inlethq/log/reading/wholePerson"
import { lakeFlushCursor, LakeFiles, type LakeFile } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Sequence, SubjectKey } from "@inlethq/core/values/Identifier"
import type { Page, PageRequest } from "@inlethq/core/values/Page"
import type { Slices } from "@inlethq/core/Slices"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import type { LakeRow } from "@inlethq/lake/columns"
import { filePath } from "@inlethq/lake/layout"
import { snapshotPosition } from "@inlethq/lake/Manifest"
import { objectRow, personRow } from "@inlethq/lake/rows/snapshotRows"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import { Context, Effect, Semaphore } from "effect"
import { join } from "node:path"
import type { LakeCommits } from "./LakeCommits.ts"
import { rowsPerSlice, snapshotMsMin, snapshotPageMax, snapshotPauses } from "./lakeLimits.ts"
import { monotonicMs } from "./monotonicMs.ts"

type SnapshotTable = "people" | "objects"

/** One snapshot is open at a time, because the store keeps for it what is replaced meanwhile. */
const Turn = Context.Reference<Semaphore.Semaphore>("@inlethq/outbound/lake/writeSnapshot/Turn", {
  defaultValue: () => Semaphore.makeUnsafe(1),
})

/**
 * Writes all people and objects as they are at one position of the log, in place of the files that show them as they
 * were. Returns false if the log is empty.
 */
const writeSnapshot = Effect.fnUntraced(function* (commits: LakeCommits) {
  const { workspace } = commits.lake
  const newest = yield* newestSequence(yield* Catalog, workspace)
  const files = yield* LakeFiles.use((lake) => lake.files(workspace))
  if (newest === null || newest === snapshotPosition(files)) return newest !== null
  const turn = yield* Turn
  yield* turn.withPermits(1)(replaceSnapshot(commits, files))
  return true
})

const replaceSnapshot = Effect.fnUntraced(function* (commits: LakeCommits, files: ReadonlyArray<LakeFile>) {
  const { workspace } = commits.lake
  const snapshot = yield* Snapshots.use((snapshots) => snapshots.open(workspace))
  const position = yield* newestSequence(snapshot, workspace)
  // A snapshot that shows the same position again would have the path of the one before.
  if (position === null || position === snapshotPosition(files)) return
  const people = yield* writeTable(commits, "people", position, (page) => peoplePage(snapshot, commits, page))
  const objects = yield* writeTable(commits, "objects", position, (page) =>
    rowsOf(snapshot.objects(workspace, null, page), objectRow),
  )
  const replaced = files.filter(({ table }) => table === "people" || table === "objects")
  yield* commits.commit({
    added: [people, objects],
    replaced: replaced.map(({ path }) => path),
  })
  yield* commits.publish
}, Effect.scoped)

const peoplePage = (snapshot: Snapshot, { lake }: LakeCommits, page: PageRequest<SubjectKey>) =>
  rowsOf(
    Effect.flatMap(snapshot.people(lake.workspace, null, page), ({ items, next }) =>
      Effect.map(
        Effect.forEach(items, (record) => wholePerson(snapshot, record)),
        (whole) => ({ items: whole, next }),
      ),
    ),
    personRow,
  )

const rowsOf = <Item>(
  page: Effect.Effect<Page<Item, SubjectKey>, StoreUnavailable>,
  rowOf: (item: Item) => LakeRow,
) =>
  Effect.flatMap(page, ({ items, next }) =>
    Effect.flatMap(Turns, (turns) =>
      Effect.map(
        turns.work(() => inSlices(items, rowOf)),
        (rows) => ({ rows, next }),
      ),
    ),
  )

function* inSlices<Item>(
  items: ReadonlyArray<Item>,
  rowOf: (item: Item) => LakeRow,
): Slices<ReadonlyArray<LakeRow>> {
  const rows: Array<LakeRow> = []
  for (const item of items) {
    rows.push(rowOf(item))
    if (rows.length % rowsPerSlice === 0) yield
  }
  return rows
}

/** Writes the pages of a table into one file. The first page opens it, also if it is empty. */
const writeTable = Effect.fnUntraced(function* <R>(
  { lake: { target, token, workspace } }: LakeCommits,
  table: SnapshotTable,
  position: Sequence,
  read: (
    page: PageRequest<SubjectKey>,
  ) => Effect.Effect<
    { readonly rows: ReadonlyArray<LakeRow>; readonly next: SubjectKey | null },
    StoreUnavailable,
    R
  >,
) {
  const { ask } = yield* LakeThread
  const work = join(target.workFolder, `${workspace}-${token}-${table}.parquet`)
  const write = Effect.gen(function* () {
    let after: SubjectKey | null = null
    do {
      const { next, rows }: { next: SubjectKey | null; rows: ReadonlyArray<LakeRow> } = yield* read({
        limit: snapshotPageMax,
        after,
        order: "asc",
      })
      yield* ask("append", { table, path: work, rows })
      after = next
    } while (after !== null)
    return yield* ask("finish", { path: work })
  })
  const finished = yield* Effect.onError(write, () => Effect.ignore(ask("abort", { paths: [work] })))
  const range = { from: position, to: position }
  const path = filePath({ workspace, table, ...range, token, rewrite: 0, firstAt: 0 })
  yield* target.put(path, work, finished.sha256)
  return { table, path, ...range, generation: token, erased: 0, pruned: 0, ...finished } satisfies LakeFile
})

/** When people and objects of a lake are written again. */
export class SnapshotSchedule {
  private readonly commits: LakeCommits
  private dueAt = -Infinity
  /** The position up to which somebody asked for complete files, when that was last read. */
  private flushPosition = 0

  constructor(commits: LakeCommits) {
    this.commits = commits
  }

  /** Writes people and objects if it is time. An attempt that fails is repeated after the shortest pause. */
  get step() {
    return Effect.gen({ self: this }, function* () {
      const begunAt = yield* monotonicMs
      const { workspace } = this.commits.lake
      const asked = (yield* LogCursors.use((cursors) => cursors.position(lakeFlushCursor(workspace)))) ?? 0
      if (asked > this.flushPosition) this.dueAt = -Infinity
      this.flushPosition = asked
      if (begunAt < this.dueAt) return
      this.dueAt = begunAt + snapshotMsMin
      if (!(yield* writeSnapshot(this.commits))) {
        this.dueAt = -Infinity
        return
      }
      const endedAt = yield* monotonicMs
      this.dueAt = endedAt + Math.max(snapshotMsMin, snapshotPauses * (endedAt - begunAt))
    })
  }
}
