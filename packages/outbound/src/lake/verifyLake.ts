import type { LakeVerification } from "@inlethq/contract/transfer/Lake"
import { Catalog, noFilter, type Followed, type Ownership } from "@inlethq/core/catalog/Catalog"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { lakeCursor, LakeFiles, type LakeFile } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { lakeFolder } from "@inlethq/lake/layout"
import { rangeFaults } from "@inlethq/lake/Manifest"
import type { LakeTarget } from "@inlethq/lake/targets/LakeTarget"
import { isDeletion } from "@inlethq/lake/rows/isDeletion"
import { LakeThread, type LakeFailed } from "@inlethq/lake/thread/LakeThread"
import type { Checked } from "@inlethq/lake/thread/Request"
import { Effect } from "effect"
import { publishedFaults } from "./publishedFaults.ts"
import { wrongOwners, type WrongOwner } from "./wrongOwners.ts"

/** One request checks at most this many files or bytes, but at least one file. */
const checkedFilesMax = 50
const checkedBytesMax = 256 * 1024 * 1024

type Fault = LakeVerification["faults"][number]

/**
 * Reads files of a lake after a path, counts their rows again and compares their hashes with those that were committed. The
 * first request also checks that the ranges are adjacent, and that the manifest and the tables of Iceberg list what was committed. Once all files are
 * read, the last requests compare to whom subjects belong.
 */
export const verifyLake = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  target: LakeTarget,
  after: string | null,
) {
  const subject = subjectIn(after)
  return subject === null
    ? yield* verifyFiles(workspace, target, after)
    : yield* verifyOwners(workspace, target, subject)
})

/** Requests about owners continue after this, and the number of a subject. */
const ownersCursor = "owners/"

const subjectIn = (after: string | null): number | null =>
  after !== null && after.startsWith(ownersCursor) ? Number(after.slice(ownersCursor.length)) : null

const verifyFiles = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  target: LakeTarget,
  after: string | null,
) {
  const files = yield* LakeFiles.use((lake) => lake.files(workspace))
  const faults: Array<Fault> = after === null ? [...rangeFaults(files)] : []
  if (after === null) faults.push(...(yield* publishedFaults(workspace, target)))
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
    next: page.length < waiting.length ? (page.at(-1)?.path ?? null) : `${ownersCursor}0`,
  } satisfies LakeVerification
})

/** The most subjects with a wrong owner that one request names. */
const wrongOwnersMax = 20

const verifyOwners = Effect.fnUntraced(function* (workspace: WorkspaceId, target: LakeTarget, from: number) {
  const lake = yield* LakeFiles
  const readAfter = yield* LogCursors.use((cursors) => cursors.position(lakeCursor(workspace)))
  const compared = Effect.flatMap(lake.files(workspace), (files) =>
    wrongOwners(workspace, target, files, from),
  )
  // Files that are replaced meanwhile may be removed.
  const { next, wrong } = yield* Effect.retry(compared, { times: 1 })
  const known = wrong.length === 0 ? wrong : yield* withoutUnread(workspace, readAfter, wrong)
  const path = `${lakeFolder(workspace)}/subjects`
  const faults: Array<Fault> = known
    .slice(0, wrongOwnersMax)
    .map((one) => ({ path, problem: problemOfOwner(one) }))
  if (known.length > wrongOwnersMax)
    faults.push({ path, problem: `${known.length - wrongOwnersMax} more subjects belong to somebody else` })
  const cursor = next === null ? null : `${ownersCursor}${next}`
  return { files: 0, rows: 0, bytes: 0, faults, next: cursor } satisfies LakeVerification
})

const problemOfOwner = ({ now, stored, subject }: WrongOwner): string =>
  now === null
    ? `the subject ${subject} is deleted, and its rows are not hidden`
    : `the subject ${subject} belongs to ${ownerText(now)}, and not to ${ownerText(stored)}`

const ownerText = ({ owner, since }: Ownership): string =>
  owner === null ? "nobody" : since === null ? `${owner}` : `${owner} since ${since}`

/** Leaves out differences that entries make which the files have not come to. */
const withoutUnread = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  position: Sequence | null,
  wrong: ReadonlyArray<WrongOwner>,
) {
  const changed = new Set<SubjectKey>()
  const created = new Set<SubjectKey>()
  let hasDeletions = false
  for (let after = position; ;) {
    const { caughtUp, items, readTo }: Followed = yield* Catalog.use((catalog) =>
      catalog.follow(workspace, noFilter, after),
    )
    for (const { entry } of items) {
      if (isDeletion(entry.kind)) hasDeletions = true
      for (const key of changedIn(entry)) changed.add(key)
      for (const { before, subject } of entry.overwritten) if (before === null) created.add(subject)
    }
    after = readTo
    if (caughtUp) break
  }
  const owners = new Set(wrong.flatMap(({ stored }) => stored.owner ?? []))
  const alive = hasDeletions
    ? yield* Catalog.use((catalog) => catalog.ownersAmong(workspace, owners))
    : new Map<SubjectKey, Ownership>()
  // A deletion also erases what earlier entries say about whoever belonged to the deleted person.
  const mayBeUnread = ({ now, stored }: WrongOwner) =>
    hasDeletions && (now === null || (stored.owner !== null && !alive.has(stored.owner)))
  // The entry that creates a person does not say which visitors it gives to them.
  const isOfCreated = ({ now }: WrongOwner) => now?.owner != null && created.has(now.owner)
  return wrong.filter((one) => !changed.has(one.subject) && !isOfCreated(one) && !mayBeUnread(one))
})

const changedIn = ({ overwritten, subject }: ActivityEntry): ReadonlyArray<SubjectKey> => [
  ...(subject === null ? [] : [subject]),
  ...overwritten.flatMap(({ before, subject: person }) => [
    person,
    ...(before?.attached?.added ?? []),
    ...(before?.attached?.removed ?? []).map(({ key }) => key),
  ]),
]

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
