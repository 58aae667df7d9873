import { newestSequence } from "@inlethq/log/reading/newestSequence"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { lakeCursor, LakeFiles, type LakeFile, type LakeTable } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { Sequence } from "@inlethq/core/values/Identifier"
import type { LakeRow } from "@inlethq/lake/columns"
import { repairPath } from "@inlethq/lake/layout"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import { Clock, Effect } from "effect"
import { join } from "node:path"
import type { LakeCommits } from "./LakeCommits.ts"
import { ownersMsMax, ownersMsMin, repairedRowsMax } from "./lakeLimits.ts"
import { wrongOwners, type WrongOwner } from "./wrongOwners.ts"
import { monotonicMs } from "./monotonicMs.ts"

/**
 * Corrects to whom subjects belong in the files. The entries say it as they are copied, unless they were deleted before: a deletion
 * also erases what the entry of a merge says, and the entries of a lake that was away for long may be pruned.
 */
export class OwnerRepairs {
  private readonly commits: LakeCommits
  private endedAt = -Infinity
  /** The subject with which the next comparison begins. */
  private from = 0
  /** The position at which rows were corrected last. A second file would have the same path. */
  private repairedAt: Sequence | null = null

  constructor(commits: LakeCommits) {
    this.commits = commits
  }

  /** Compares owners once a reader has begun, after deletions, and once a day. */
  get step() {
    return Effect.gen({ self: this }, function* () {
      const pause = this.commits.ownersMayDiffer ? ownersMsMin : ownersMsMax
      if ((yield* monotonicMs) - this.endedAt < pause) return
      const position = yield* LogCursors.use((cursors) =>
        cursors.position(lakeCursor(this.commits.lake.workspace)),
      )
      if (position === null || position === this.repairedAt) return
      this.commits.ownersMayDiffer = false
      const now = yield* Clock.currentTimeMillis
      if (!(yield* this.repair(position, now))) this.commits.ownersMayDiffer = true
      this.endedAt = yield* monotonicMs
    })
  }

  /** Returns whether all subjects were compared, and all differences corrected. */
  private repair(position: Sequence, now: number) {
    return Effect.gen({ self: this }, function* () {
      const { target, workspace } = this.commits.lake
      const files = yield* LakeFiles.use((lake) => lake.files(workspace))
      const all: Array<WrongOwner> = []
      let from: number | null = this.from
      while (from !== null && all.length < repairedRowsMax) {
        const found: Effect.Success<ReturnType<typeof wrongOwners>> = yield* wrongOwners(
          workspace,
          target,
          files,
          from,
        )
        all.push(...found.wrong)
        from = found.next
      }
      // Of two rows at one position, nobody can tell which is the later one.
      const wrong = all.filter((one) => one.position < position)
      yield* this.write(position, now, wrong)
      this.from = from ?? 0
      return from === null && wrong.length === all.length
    })
  }

  private write(position: Sequence, now: number, wrong: ReadonlyArray<WrongOwner>) {
    return Effect.gen({ self: this }, function* () {
      if (wrong.length === 0) return
      const { workspace } = this.commits.lake
      const subjects = wrong.flatMap(({ now: owned, subject }): ReadonlyArray<LakeRow> => {
        if (owned === null) return []
        const { owner, since } = owned
        const state = owner === null ? "visitor" : owner === subject ? "person" : "attached"
        return [[position, subject, owner, since, state]]
      })
      const erased = wrong.flatMap(({ now: owned, subject }): ReadonlyArray<LakeRow> =>
        owned === null ? [[position, subject, now]] : [],
      )
      // As long as entries wait, most differences are theirs.
      if ((yield* newestSequence(yield* Catalog, workspace)) === position)
        yield* Effect.logWarning("the lake said wrongly to whom subjects belong, and is corrected", {
          workspace,
          subjects: wrong.length,
        })
      const added = [
        ...(subjects.length === 0 ? [] : [yield* this.put("subjects", position, subjects)]),
        ...(erased.length === 0 ? [] : [yield* this.put("erased", position, erased)]),
      ]
      yield* this.commits.commit({ added })
      this.repairedAt = position
      yield* this.commits.publish
    })
  }

  private put(table: LakeTable, position: Sequence, rows: ReadonlyArray<LakeRow>) {
    return Effect.gen({ self: this }, function* () {
      const { target, token, workspace } = this.commits.lake
      const { ask } = yield* LakeThread
      const work = join(target.workFolder, `${workspace}-${token}-${table}-repair.parquet`)
      const write = Effect.andThen(ask("append", { table, path: work, rows }), ask("finish", { path: work }))
      const finished = yield* Effect.onError(write, () => Effect.ignore(ask("abort", { paths: [work] })))
      const path = repairPath({ workspace, table, position, token })
      yield* target.put(path, work, finished.sha256)
      const range = { from: position, to: position }
      return {
        table,
        path,
        ...range,
        generation: token,
        erased: 0,
        pruned: 0,
        ...finished,
      } satisfies LakeFile
    })
  }
}
