import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { ExportFiles, type ExportFileKey } from "@inlethq/core/ports/ExportFiles"
import { NodeFitness } from "@inlethq/core/ports/NodeFitness"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { Duration, Effect, FiberMap, Layer, Option } from "effect"
import { ImportNode } from "../management/imports/ImportNode.ts"
import { ExportChecks } from "./ExportChecks.ts"
import { exportIdIn, exportRetentionMs, findJob, neededFiles, type ExportJob } from "./ExportJob.ts"
import { makeExportRuns } from "./exportRuns.ts"

/** The pause between two looks for exports that wait, are erased or have expired. */
const lookEvery = Duration.millis(500)

/** For this many looks in a row the files of an export may have no status that can be read, as while one is saved. Then they are removed. */
const unreadableLooksMax = 120

/** Makes exports, and removes those that are a day old or hold somebody who was deleted. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const node = yield* ImportNode
    const { unfit } = yield* NodeFitness
    const isMine = Effect.suspend(() => (unfit() === null ? node.may : Effect.succeed(false)))
    const { end, work } = yield* makeWork(isMine)
    yield* Effect.flatMap(isMine, (mine) => (mine ? work : end)).pipe(
      Effect.ignoreCause({ log: "Error", message: "exports were not looked for; this will be retried" }),
      Effect.andThen(Effect.sleep(lookEvery)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)

/** `isMine` tells whether no other node works at exports. */
const makeWork = Effect.fnUntraced(function* (isMine: Effect.Effect<boolean>) {
  const files = yield* ExportFiles
  const catalog = yield* Catalog
  const snapshots = yield* Snapshots
  const store = yield* Store
  const registry = yield* Registry
  const trusted = yield* TrustedTime
  const turns = yield* Turns
  const checks = yield* ExportChecks.make({ catalog, files, store })
  /** The exports that are checked, by their names. One that takes long holds up no other. */
  const checking = yield* FiberMap.make<string>()

  const { end: endRuns, fail, start } = yield* makeExportRuns({ files, isMine, snapshots, store, turns })

  /** How many looks in a row have found no status of an export. */
  const unreadable = new Map<string, number>()

  const tend = Effect.fnUntraced(function* (name: string, { id, keys, workspace }: Found) {
    const found = yield* findJob(files, workspace, id)
    const isOld = Option.isSome(found) && found.value.createdAt + exportRetentionMs <= (yield* trusted)
    const looks = Option.isSome(found) ? 0 : (unreadable.get(name) ?? 0) + 1
    if (looks === 0) unreadable.delete(name)
    else unreadable.set(name, looks)
    if (isOld || looks > unreadableLooksMax || Option.isNone(yield* registry.workspace(workspace))) {
      return yield* removeAll(keys)
    }
    if (Option.isNone(found)) return
    const job = found.value
    if (job.status === "pending") return yield* start(name, workspace, job)
    // What a killed process, or one that had lost its lease, has left: rows, and what the export was asked for.
    const needed = neededFiles(workspace, job)
    yield* removeAll(keys.filter((key) => !needed.has(key.name)))
    if (job.status === "done") yield* check(name, workspace, job)
  })

  const check = (name: string, workspace: WorkspaceId, job: ExportJob) =>
    checks.isErased(workspace, job).pipe(
      Effect.flatMap((isErased) => (isErased ? fail(workspace, job) : Effect.void)),
      Effect.ignoreCause(untended),
      (checked) => FiberMap.run(checking, name, checked, { onlyIfMissing: true }),
    )

  /** Removes files, those that say a status last. */
  const removeAll = (keys: ReadonlyArray<ExportFileKey>) =>
    Effect.forEach(keys.toSorted(rowsFirst), (key) => files.remove(key), { discard: true })

  const work = Effect.gen(function* () {
    const exports = new Map<string, Found>()
    for (const key of yield* files.list) {
      const { workspace } = key
      const id = exportIdIn(key)
      if (id === undefined) continue
      const name = `${workspace}.${id}`
      const keys = [...(exports.get(name)?.keys ?? []), key]
      exports.set(name, { workspace, id, keys })
    }
    for (const name of unreadable.keys()) if (!exports.has(name)) unreadable.delete(name)
    yield* Effect.forEach(exports, ([name, one]) => Effect.ignoreCause(tend(name, one), untended), {
      discard: true,
    })
  })

  /** Ends everything, because another node works at exports now. */
  const end = Effect.andThen(FiberMap.clear(checking), endRuns)
  return { end, work }
})

/** The files of an export. */
interface Found {
  readonly workspace: WorkspaceId
  readonly id: number
  readonly keys: ReadonlyArray<ExportFileKey>
}

const untended = { log: "Error", message: "an export was not looked after; this will be retried" } as const

const isMade = ({ name }: ExportFileKey): number => (/\.(?:rows|keys)\b/.test(name) ? 0 : 1)

const rowsFirst = (a: ExportFileKey, b: ExportFileKey): number => isMade(a) - isMade(b)
