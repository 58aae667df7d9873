import { noFilter, type Catalog } from "@inlethq/core/catalog/Catalog"
import type { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Sequence, SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { exportFile, readWhole, type ExportJob } from "./ExportJob.ts"

/** The number of people whose keys are looked up at a time. */
const keysPerRead = 1000

const bytesPerKey = 8

/** Returns the keys of the people in an export as the file that is kept of them. */
export const encodeKeys = (keys: Iterable<SubjectKey>): Uint8Array => {
  const list = [...keys]
  const bytes = Buffer.alloc(list.length * bytesPerKey)
  for (const [place, key] of list.entries()) bytes.writeDoubleLE(key, place * bytesPerKey)
  return bytes
}

/**
 * Returns whether somebody in an export was deleted since it began. Only if anybody at all was deleted are the people in the
 * export looked up, those who were merged meanwhile by whom they belong to.
 */
export const isErased = Effect.fnUntraced(function* (
  { catalog, files }: { readonly catalog: Catalog["Service"]; readonly files: ExportFiles["Service"] },
  workspace: WorkspaceId,
  job: ExportJob,
): Effect.fn.Return<boolean, StoreUnavailable> {
  const hasAny = yield* anyDeleted(catalog, workspace, job.after)
  if (!hasAny) return false
  const bytes = yield* readWhole(files, exportFile(workspace, job.id, "keys"))
  for (let from = 0; from < bytes.length; from += keysPerRead * bytesPerKey) {
    const keys = new Set<SubjectKey>()
    const end = Math.min(bytes.length, from + keysPerRead * bytesPerKey)
    for (let at = from; at < end; at += bytesPerKey) keys.add(SubjectKey.make(bytes.readDoubleLE(at)))
    if (yield* hasGone(catalog, workspace, keys)) return true
  }
  return false
})

const anyDeleted = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  after: number,
) {
  if ((yield* catalog.prunedTo(workspace)) > after) return true
  const from = after < 1 ? null : Sequence.make(after)
  for (const kind of ["delete", "suppress"] as const) {
    const page = { after: from, limit: 1, order: "asc" } as const
    const { items } = yield* catalog.activity(workspace, { ...noFilter, kind }, page)
    if (items.length > 0) return true
  }
  return false
})

const hasGone = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  keys: ReadonlySet<SubjectKey>,
) {
  const owners = yield* catalog.ownersAmong(workspace, keys)
  if (owners.size < keys.size) return true
  const others = new Set(
    [...owners].flatMap(([key, { owner }]) => (owner === null || owner === key ? [] : [owner])),
  )
  return others.size > 0 && (yield* catalog.goneAmong(workspace, others)).size > 0
})
