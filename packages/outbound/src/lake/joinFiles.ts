import { LakeFiles, type LakeFile } from "@inlethq/core/ports/LakeFiles"
import { dayIn, filePath } from "@inlethq/lake/layout"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import { Effect } from "effect"
import { join } from "node:path"
import type { LakeCommits } from "./LakeCommits.ts"
import { fileBytesMax, fileRowsMax, joinedFilesMax, joinedFilesMin } from "./lakeLimits.ts"

/** Joins adjacent small files of a table into one. Their objects stay for readers of an earlier manifest. */
export const joinFiles = Effect.fnUntraced(function* (commits: LakeCommits) {
  const files = yield* LakeFiles.use((lake) => lake.files(commits.lake.workspace))
  for (const run of runsOf(files)) yield* joinRun(commits, run)
  yield* commits.publish
})

/** Returns runs of adjacent files that fit into one file, of the same table and day. */
const runsOf = (files: ReadonlyArray<LakeFile>): ReadonlyArray<ReadonlyArray<LakeFile>> => {
  const runs: Array<Array<LakeFile>> = []
  let bytes = 0
  let rows = 0
  for (const file of files) {
    if (file.table === "people" || file.table === "objects") continue
    const run = runs.at(-1)
    const last = run?.at(-1)
    const isNext =
      run !== undefined &&
      last !== undefined &&
      last.table === file.table &&
      // Ranges without a change of a subject have no file, so only those of activity are adjacent.
      (file.table !== "activity" || (last.to + 1 === file.from && dayIn(last.path) === dayIn(file.path))) &&
      bytes + file.bytes <= fileBytesMax &&
      rows + file.rows <= fileRowsMax &&
      run.length < joinedFilesMax
    bytes = isNext ? bytes + file.bytes : file.bytes
    rows = isNext ? rows + file.rows : file.rows
    if (isNext) run.push(file)
    else runs.push([file])
  }
  return runs.filter((run) => run.length >= joinedFilesMin)
}

const joinRun = Effect.fnUntraced(function* (commits: LakeCommits, run: ReadonlyArray<LakeFile>) {
  const { target, token, workspace } = commits.lake
  const [first] = run
  const last = run.at(-1)
  if (first === undefined || last === undefined) return
  const { table } = first
  const inputs: Array<string> = []
  for (const { path } of run) inputs.push(yield* target.local(path))
  const work = join(target.workFolder, `${workspace}-${token}-joined.parquet`)
  const asked = { table, inputs, path: work, gone: [], rows: [] }
  const { ask } = yield* LakeThread
  yield* Effect.addFinalizer(() => Effect.ignore(ask("abort", { paths: [work] })))
  const { dropped: _none, ...finished } = yield* ask("rewrite", asked)
  const { from } = first
  const { to } = last
  const firstAt = dayIn(first.path) ?? 0
  const added: LakeFile = {
    table,
    path: filePath({ workspace, table, from, to, token, rewrite: 0, firstAt }),
    from,
    to,
    generation: token,
    erased: sum(run, "erased"),
    pruned: sum(run, "pruned"),
    ...finished,
  }
  yield* target.put(added.path, work, added.sha256)
  const replaced = run.map(({ path }) => path)
  yield* commits.commit({ added: [added], replaced })
}, Effect.scoped)

const sum = (files: ReadonlyArray<LakeFile>, name: "erased" | "pruned"): number =>
  files.reduce((total, file) => total + file[name], 0)
