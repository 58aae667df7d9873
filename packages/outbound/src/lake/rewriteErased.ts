import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { Catalog, noFilter } from "@inlethq/core/catalog/Catalog"
import { addressOfEntry } from "@inlethq/core/decision/erasure"
import { subjectDigest, type ErasurePlace, type ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import { Digest, digestsOf } from "@inlethq/core/ports/Digest"
import { ErasureLedger, erasureReadMax } from "@inlethq/core/ports/ErasureLedger"
import { LakeFiles, type LakeFile } from "@inlethq/core/ports/LakeFiles"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Subject } from "@inlethq/core/state/Subject"
import { Sequence, SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import type { LakeRow } from "@inlethq/lake/columns"
import { rewrittenPath } from "@inlethq/lake/layout"
import { activityRow } from "@inlethq/lake/rows/activityRows"
import { PastNames } from "@inlethq/log/history/PastNames"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import type { Affected } from "@inlethq/lake/thread/Request"
import { Effect, Option } from "effect"
import { join } from "node:path"
import type { LakeCommits } from "./LakeCommits.ts"

/**
 * Writes each file again that has rows of somebody who is gone, without these rows. Notes the hashes before and after for the
 * receipts of all deletions from `oldest` on, also of those that the reader of the log has not come to.
 */
export const rewriteErased = Effect.fnUntraced(function* (commits: LakeCommits, oldest: Sequence) {
  const files = yield* LakeFiles.use((lake) => lake.files(commits.lake.workspace))
  const deletions = yield* deletionsSince(commits.lake.workspace, oldest)
  for (const file of files) yield* rewriteFile(commits, file, deletions)
})

/** The deletions that erased subjects and addresses, which the ledger has as digests. */
interface Deletions {
  readonly digest: (text: string) => string
  /** Returns the positions of the deletions that erased one of these. */
  readonly of: (digests: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<Sequence>, StoreUnavailable>
}

/**
 * Tells which deletions have erased subjects and addresses, as the erasure ledger knows it. Reads the ledger again for what was
 * erased since.
 */
const deletionsSince = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  oldest: Sequence,
): Effect.fn.Return<Deletions, StoreUnavailable, ErasureLedger | Digest> {
  const ledger = yield* ErasureLedger
  const digest = digestsOf(yield* Digest, workspace)
  const read = deletionsByDigest(ledger, workspace, oldest)
  let known = yield* read
  return {
    digest,
    of: Effect.fnUntraced(function* (digests) {
      if (digests.some((one) => !known.has(one))) known = yield* read
      return new Set(digests.flatMap((one) => known.get(one) ?? []))
    }),
  }
})

const deletionsByDigest = Effect.fnUntraced(function* (
  ledger: ErasureLedger["Service"],
  workspace: WorkspaceId,
  oldest: Sequence,
) {
  const found = new Map<string, Array<Sequence>>()
  let after: ErasurePlace | null = null
  for (;;) {
    const page: Page<ErasureRecord, ErasurePlace> = yield* ledger.read(workspace, {
      after,
      limit: erasureReadMax,
      order: "desc",
    })
    for (const { addresses, position, subjects } of page.items) {
      if (position < oldest) continue
      for (const erased of [...subjects, ...addresses])
        found.set(erased, [...(found.get(erased) ?? []), position])
    }
    // The ledger is in the order of times, which is that of positions except for records of the same moment.
    if (page.next === null || page.items.every(({ position }) => position < oldest)) return found
    after = page.next
  }
})

const rewriteFile = Effect.fnUntraced(function* (commits: LakeCommits, file: LakeFile, deletions: Deletions) {
  const { target, token, workspace } = commits.lake
  const { ask } = yield* LakeThread
  const { path: stored, table } = file
  if (table === "erased") return
  const path = yield* target.local(stored)
  const { subjects } = yield* ask("scan", { table, path })
  const missing = yield* goneAmong(workspace, subjects)
  const gone = table === "activity" ? yield* withoutObjects(workspace, missing) : [...missing]
  const affected = yield* ask("affected", { table, path, gone })
  const reports = yield* erasedReports(workspace, affected)
  const rows = yield* renewedRows(workspace, affected, reports)
  if (affected.dropped === 0 && rows.length === 0) return
  const work = join(target.workFolder, `${workspace}-${token}-rewrite.parquet`)
  yield* Effect.addFinalizer(() => Effect.ignore(ask("abort", { paths: [work] })))
  const { dropped, ...finished } = yield* ask("rewrite", { table, inputs: [path], path: work, gone, rows })
  const added = {
    ...file,
    ...finished,
    path: rewrittenPath(stored, token),
    generation: token,
    erased: table === "activity" ? file.erased + dropped : file.erased,
  }
  yield* target.put(added.path, work, added.sha256)
  const { from, sha256, to } = file
  const rewrite = { table, from, to, path: stored, sha256, newPath: added.path, newSha256: added.sha256 }
  const data = reports.size === 0 ? noData : yield* ask("data", { path, positions: [...reports.keys()] })
  const causes = yield* deletions.of([
    ...affected.subjects.map((key) => subjectDigest(deletions.digest, SubjectKey.make(key))),
    ...Array.from(reports).flatMap(([position, delivery]) => {
      const report = { kind: "delivery_metric", data: JSON.parse(data.get(position) ?? "null") } as const
      return addressOfEntry(deletions.digest, report, delivery) ?? []
    }),
  ])
  const rewritten = Array.from(causes, (position) => ({ position, rewrite }))
  yield* commits.commit({
    added: [added],
    replaced: [stored],
    rewritten,
  })
}, Effect.scoped)

const goneAmong = (workspace: WorkspaceId, subjects: ReadonlyArray<number>) =>
  Catalog.use((catalog) =>
    catalog.goneAmong(workspace, new Set(subjects.map((subject) => SubjectKey.make(subject)))),
  )

/** The keys that one search of the log looks for. */
const keysPerSearch = 500

/** Leaves out the keys of deleted objects, because the log keeps what it says about them. */
const withoutObjects = Effect.fnUntraced(function* (workspace: WorkspaceId, keys: ReadonlySet<SubjectKey>) {
  const left = new Set(keys)
  const all = [...keys]
  for (let from = 0; from < all.length; from += keysPerSearch) {
    const about = { people: [], keys: all.slice(from, from + keysPerSearch), objects: [] }
    const filter = { ...noFilter, kind: "object_delete", about } as const
    let after: Sequence | null = null
    do {
      const page: Page<ActivityRecord, Sequence> = yield* Catalog.use((catalog) =>
        catalog.activity(workspace, filter, { after, limit: keysPerSearch, order: "desc" }),
      )
      for (const { entry } of page.items) if (entry.subject !== null) left.delete(entry.subject)
      after = page.next
    } while (after !== null)
  }
  return [...left]
})

const noData: ReadonlyMap<number, string | null> = new Map()

/** Returns which reports are erased because of the address that they name, and their deliveries. */
const erasedReports = Effect.fnUntraced(function* (workspace: WorkspaceId, { addressed }: Affected) {
  const catalog = yield* Catalog
  const reports = new Map<number, Subject | null>()
  for (const position of addressed) {
    const found = yield* catalog.operation(workspace, Sequence.make(position))
    if (Option.isSome(found) && found.value.isErased) reports.set(position, found.value.subject)
  }
  return reports
})

/**
 * Returns the rows that change although their subject exists: as the log shows them now, with what people were called then, and
 * without data if it is gone.
 */
const renewedRows = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  { named }: Affected,
  reports: ReadonlyMap<number, Subject | null>,
) {
  const catalog = yield* Catalog
  const names = new PastNames(catalog, workspace)
  const rows: Array<readonly [number, LakeRow | null]> = []
  for (const position of named) {
    const found = yield* catalog.operation(workspace, Sequence.make(position))
    const row = Option.isNone(found) ? null : activityRow(found.value, yield* names.ofOne(found.value))
    rows.push([position, row])
  }
  for (const position of reports.keys()) rows.push([position, null])
  return rows
})
