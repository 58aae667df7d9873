import type { LakeVerification } from "@inlet/api/management/Lake"
import { LakeFiles, type LakeFile } from "@inlet/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { manifestPath } from "@inlet/lake/layout"
import { manifestOf, manifestText, rangeFaults } from "@inlet/lake/Manifest"
import type { LakeTarget } from "@inlet/lake/targets/LakeTarget"
import { LakeThread, type LakeFailed } from "@inlet/lake/thread/LakeThread"
import type { Checked } from "@inlet/lake/thread/Request"
import { Effect, Schedule } from "effect"

/** One request checks at most this many files or bytes, but at least one file. */
const checkedFilesMax = 50
const checkedBytesMax = 256 * 1024 * 1024

type Fault = LakeVerification["faults"][number]

/**
 * Reads files of a lake after a path, counts their rows again and compares their hashes with those that were committed. The
 * first request also checks that the ranges are adjacent, and that the manifest lists what was committed.
 */
export const verifyLake = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  target: LakeTarget,
  after: string | null,
) {
  const files = yield* LakeFiles.use((lake) => lake.files(workspace))
  const faults: Array<Fault> = after === null ? [...rangeFaults(files)] : []
  if (after === null) faults.push(...(yield* manifestFaults(workspace, target)))
  const waiting = files
    .filter(({ path }) => path > (after ?? ""))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const page = firstOf(waiting)
  const read = yield* Effect.forEach(page, (file) => readFile(target, file))
  for (const { problems, file } of read)
    faults.push(...problems.map((problem) => ({ path: file.path, problem })))
  return {
    files: page.length,
    rows: read.reduce((sum, { file, rows }) => (file.table === "activity" ? sum + rows : sum), 0),
    bytes: read.reduce((sum, { bytes }) => sum + bytes, 0),
    faults: yield* stillCommitted(workspace, files, faults),
    next: page.length < waiting.length ? (page.at(-1)?.path ?? null) : null,
  } satisfies LakeVerification
})

/** Leaves out faults of files that were replaced meanwhile, whose objects may be gone. */
const stillCommitted = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  before: ReadonlyArray<LakeFile>,
  faults: ReadonlyArray<Fault>,
) {
  if (faults.length === 0) return faults
  const now = new Set((yield* LakeFiles.use((lake) => lake.files(workspace))).map(({ path }) => path))
  const replaced = new Set(before.map(({ path }) => path).filter((path) => !now.has(path)))
  return faults.filter(({ path }) => !replaced.has(path))
})

const firstOf = (files: ReadonlyArray<LakeFile>): ReadonlyArray<LakeFile> => {
  let bytes = 0
  const end = files.findIndex((file, index) => {
    bytes += file.bytes
    return index > 0 && (bytes > checkedBytesMax || index >= checkedFilesMax)
  })
  return end < 0 ? files : files.slice(0, end)
}

/** The manifest follows each commit after some milliseconds, so one that is behind is looked at again. */
const manifestLooks = { times: 10, pause: "200 millis" } as const

const manifestFaults = Effect.fnUntraced(function* (workspace: WorkspaceId, target: LakeTarget) {
  const path = manifestPath(workspace)
  const look = Effect.gen(function* () {
    const files = yield* LakeFiles.use((lake) => lake.files(workspace))
    const published = yield* target.readText(path)
    if (files.length === 0 || published === manifestText(manifestOf(files))) return null
    return published === null
      ? "the manifest does not exist"
      : "the manifest does not list the files that were committed"
  })
  const problem = yield* Effect.repeat(look, {
    schedule: Schedule.spaced(manifestLooks.pause),
    times: manifestLooks.times,
    until: (found) => found === null,
  })
  return problem === null ? [] : [{ path, problem }]
})

/** Counts one file, and says what is wrong with it. A file that cannot be read is a fault too. */
const readFile = (target: LakeTarget, file: LakeFile) =>
  Effect.gen(function* () {
    const path = yield* target.local(file.path)
    return yield* LakeThread.use(({ ask }) => ask("check", { table: file.table, path }))
  }).pipe(
    Effect.scoped,
    Effect.map((checked) => ({
      file,
      rows: checked.rows,
      bytes: checked.bytes,
      problems: problemsOf(file, checked),
    })),
    Effect.catch(({ message }: LakeFailed) =>
      Effect.succeed({ file, rows: 0, bytes: 0, problems: [message] }),
    ),
  )

const problemsOf = (file: LakeFile, checked: Checked): ReadonlyArray<string> => {
  const problems: Array<string> = []
  if (checked.rows !== file.rows) problems.push(`${checked.rows} rows instead of ${file.rows}`)
  if (checked.outOfOrder.length > 0)
    problems.push(`positions are doubled or out of order: ${checked.outOfOrder.join(", ")}`)
  const isOutside = (checked.first ?? file.from) < file.from || (checked.last ?? file.to) > file.to
  if (file.table === "activity" && isOutside)
    problems.push(`rows from ${checked.first} to ${checked.last} instead of ${file.from} to ${file.to}`)
  if (checked.sha256 !== file.sha256) problems.push("its contents changed after it was written (SHA-256)")
  return problems
}
