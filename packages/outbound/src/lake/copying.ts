import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { ThreadCatalog } from "@inlethq/core/catalog/ThreadCatalog"
import type { Closed, Copied, RangePaths, ToCopy } from "@inlethq/lake/thread/Copied"
import { LogCopier } from "@inlethq/lake/thread/LogCopier"
import { LakeThread, type LakeFailed } from "@inlethq/lake/thread/LakeThread"
import { Effect } from "effect"

/** Copies the log into open files. */
export interface Copying {
  copy(asked: ToCopy): Effect.Effect<Copied, LakeFailed | StoreUnavailable>
  close(paths: RangePaths): Effect.Effect<Closed, LakeFailed>
  abort(paths: RangePaths): Effect.Effect<null, LakeFailed>
}

/** Copies in the thread of files, which reads the log itself. If only this thread can read it, this thread sends the rows. */
export const makeCopying = Effect.gen(function* () {
  const { ask } = yield* LakeThread
  const { source } = yield* ThreadCatalog
  const abort = ({ activity, erased, subjects }: RangePaths) =>
    ask("abort", { paths: [activity, subjects, erased] })
  if (source !== null) {
    return {
      copy: (asked) => ask("copy", { ...asked, source }),
      close: (paths) => ask("close", { paths }),
      abort,
    } satisfies Copying
  }
  const copier = new LogCopier<LakeFailed>(yield* Catalog, {
    append: (table, path, rows) => ask("append", { table, path, rows }),
    finish: (path) => ask("finish", { path }),
  })
  return {
    copy: (asked) => copier.copy(asked),
    close: (paths) => copier.close(paths),
    abort: (paths) => {
      copier.forget([paths.activity])
      return abort(paths)
    },
  } satisfies Copying
})
