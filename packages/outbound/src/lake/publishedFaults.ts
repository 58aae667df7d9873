import type { LakeVerification } from "@inlethq/contract/transfer/Lake"
import { LakeFiles, type LakeFile, type LakeTable } from "@inlethq/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { lakeTables } from "@inlethq/lake/columns"
import { listedFiles } from "@inlethq/lake/iceberg/listedFiles"
import { icebergFolder, icebergHintPath, icebergMetadataPath, manifestPath } from "@inlethq/lake/layout"
import { manifestOf, manifestText } from "@inlethq/lake/Manifest"
import type { LakeTarget } from "@inlethq/lake/targets/LakeTarget"
import { LakeThread, type LakeFailed } from "@inlethq/lake/thread/LakeThread"
import { Effect, Schedule, type Scope } from "effect"

type Fault = LakeVerification["faults"][number]

/** What is published follows each commit after some milliseconds, so what is behind is looked at again. */
const looks = { times: 10, pause: "200 millis" } as const

/** Compares the manifest and the tables of Iceberg with the committed files. */
export const publishedFaults = Effect.fnUntraced(function* (workspace: WorkspaceId, target: LakeTarget) {
  const look = Effect.gen(function* () {
    const files = yield* LakeFiles.use((lake) => lake.files(workspace))
    if (files.length === 0) return []
    const faults: Array<Fault> = [...(yield* manifestFaults(workspace, target, files))]
    for (const table of lakeTables)
      faults.push(...(yield* orItsFailure(workspace, table, tableFaults(workspace, target, table, files))))
    return faults
  })
  return yield* Effect.repeat(look, {
    schedule: Schedule.spaced(looks.pause),
    times: looks.times,
    until: (faults) => faults.length === 0,
  })
})

/** A manifest that is missing is a fault too, unless its snapshot has expired meanwhile. */
const orItsFailure = <R>(
  workspace: WorkspaceId,
  table: LakeTable,
  faults: Effect.Effect<ReadonlyArray<Fault>, LakeFailed, R>,
) =>
  Effect.catchTag(faults, "LakeFailed", ({ message: problem }) =>
    Effect.succeed<ReadonlyArray<Fault>>([{ path: icebergFolder(workspace, table), problem }]),
  )

const manifestFaults = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  target: LakeTarget,
  files: ReadonlyArray<LakeFile>,
) {
  const path = manifestPath(workspace)
  const published = yield* target.readText(path)
  if (published === manifestText(manifestOf(files))) return []
  const problem =
    published === null
      ? "the manifest does not exist"
      : "the manifest does not list the files that were committed"
  return [{ path, problem }] satisfies ReadonlyArray<Fault>
})

const tableFaults = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  target: LakeTarget,
  table: LakeTable,
  all: ReadonlyArray<LakeFile>,
): Effect.fn.Return<ReadonlyArray<Fault>, LakeFailed, LakeThread | Scope.Scope> {
  const files = all.filter((file) => file.table === table)
  const { root } = target
  const { ask } = yield* LakeThread
  const hint = icebergHintPath(workspace, table)
  const version = Number((yield* target.readText(hint)) ?? 0)
  if (!(version > 0)) return [{ path: hint, problem: "the table of Iceberg does not exist" }]
  const path = icebergMetadataPath(workspace, table, version)
  const text = yield* target.readText(path)
  const { listed, manifests } = yield* ask("readTable", { workspace, table, root, text })
  if (listed !== listedFiles(files))
    return [{ path, problem: "the table of Iceberg does not show the files that were committed" }]
  const local = yield* Effect.forEach(manifests, (manifest) => target.local(manifest))
  const problems = yield* ask("checkTable", { files, manifests: local, root })
  return problems.map((problem) => ({ path, problem }))
}, Effect.scoped)
