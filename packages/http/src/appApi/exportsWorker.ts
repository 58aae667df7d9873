import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { needsOf } from "@inlethq/core/CommandTable"
import { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store, type StoreUnavailable } from "@inlethq/core/ports/Store"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { whileFit } from "@inlethq/engine/whileFit"
import { Cause, Clock, Duration, Effect, Layer, Option, Queue, Stream } from "effect"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { ImportNode } from "../management/imports/ImportNode.ts"
import { encodeKeys, isErased } from "./exportCheck.ts"
import {
  allParts,
  exportFile,
  exportIdIn,
  exportRetentionMs,
  findJob,
  removeParts,
  rowParts,
  saveJob,
  type ExportJob,
} from "./ExportJob.ts"
import { csvLine, exportDeliveries, exportPeople, type ExportRow } from "./exportRows.ts"

/** The pause between two looks for exports that wait, are erased or have expired. */
const lookEvery = Duration.millis(500)

/** The most exports that a node makes at the same time. */
const runningMax = 2

/** The pause before an export begins again that failed, for example because the store was unavailable. */
const failedPause = Duration.seconds(1)

/** The most compressed parts of a file that wait to be saved. */
const waitingPartsMax = 4

const compressed = (text: string) => Effect.promise(() => promisify(gzip)(text))

/** Makes exports, and removes those that are a day old or hold somebody who was deleted. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const node = yield* ImportNode
    const work = yield* makeWork
    const look = Effect.flatMap(node.may, (isMine) => (isMine ? work : Effect.void))
    yield* whileFit(look).pipe(
      Effect.ignoreCause({ log: "Error", message: "exports were not looked for; this will be retried" }),
      Effect.andThen(Effect.sleep(lookEvery)),
      Effect.forever,
      Effect.forkScoped,
    )
  }),
)

const makeWork = Effect.gen(function* () {
  const files = yield* ExportFiles
  const catalog = yield* Catalog
  const snapshots = yield* Snapshots
  const store = yield* Store
  const registry = yield* Registry
  const trusted = yield* TrustedTime
  const scope = yield* Effect.scope
  const services = { catalog, files }

  const endOfLog = (workspace: WorkspaceId) =>
    Effect.map(store.view(needsOf(workspace, [])), ({ nextSequence }) => nextSequence - 1)

  const fail = Effect.fnUntraced(function* (workspace: WorkspaceId, job: ExportJob) {
    const updatedAt = yield* Clock.currentTimeMillis
    yield* removeParts(files, workspace, job.id, ["failed"])
    yield* saveJob(files, workspace, { ...ended(job), status: "failed", updatedAt })
    yield* removeParts(files, workspace, job.id, [...rowParts, "done", "pending"])
  })

  /** Makes an export. One that was interrupted begins again. */
  const run = Effect.fnUntraced(function* (workspace: WorkspaceId, pending: ExportJob) {
    yield* removeParts(files, workspace, pending.id, rowParts)
    const job = { ...pending, after: yield* endOfLog(workspace) }
    const made = yield* writeRows(files, snapshots, workspace, job)
    const updatedAt = yield* Clock.currentTimeMillis
    yield* saveJob(files, workspace, { ...ended(job), status: "done", total: made, updatedAt })
    // What the export was asked for may name people.
    yield* removeParts(files, workspace, job.id, ["pending"])
  })

  const running = new Set<string>()

  const start = (name: string, workspace: WorkspaceId, job: ExportJob) => {
    running.add(name)
    return run(workspace, job).pipe(
      Effect.catchTag("AppRefused", () => fail(workspace, job)),
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logWarning("an export was interrupted and will begin again", cause),
          Effect.sleep(failedPause),
        ),
      ),
      Effect.ensuring(Effect.sync(() => running.delete(name))),
      Effect.forkIn(scope),
    )
  }

  /** How far the log was when an export was last found to hold nobody who was deleted. */
  const checked = new Map<string, number>()

  const tend = Effect.fnUntraced(function* (workspace: WorkspaceId, id: number) {
    const found = yield* findJob(files, workspace, id)
    const isOld = Option.isSome(found) && found.value.createdAt + exportRetentionMs <= (yield* trusted)
    if (isOld || Option.isNone(yield* registry.workspace(workspace))) {
      return yield* removeParts(files, workspace, id, allParts)
    }
    if (Option.isNone(found) || found.value.status === "failed") return
    const name = `${workspace}.${id}`
    if (found.value.status === "pending") {
      if (running.size < runningMax && !running.has(name)) yield* start(name, workspace, found.value)
      return
    }
    const end = yield* endOfLog(workspace)
    if (checked.get(name) === end) return
    if (yield* isErased(services, workspace, found.value)) return yield* fail(workspace, found.value)
    // A process that was killed may have left what the export was asked for.
    if (!checked.has(name)) yield* removeParts(files, workspace, id, ["pending"])
    checked.set(name, end)
  })

  return Effect.gen(function* () {
    const exports = new Map<string, readonly [WorkspaceId, number]>()
    for (const key of yield* files.list) {
      const id = exportIdIn(key)
      if (id !== undefined) exports.set(`${key.workspace}.${id}`, [key.workspace, id])
    }
    for (const name of checked.keys()) if (!exports.has(name)) checked.delete(name)
    for (const [workspace, id] of exports.values()) yield* tend(workspace, id)
  })
})

const ended = (job: ExportJob): ExportJob => ({ ...job, filters: null, deliveries: null, attributes: null })

/** Saves the rows of an export, compressed part by part, and the keys of the people in it. Returns the number of rows. */
const writeRows = Effect.fnUntraced(function* (
  files: ExportFiles["Service"],
  snapshots: Snapshots["Service"],
  workspace: WorkspaceId,
  job: ExportJob,
) {
  const snapshot = yield* snapshots.open(workspace)
  const parts = yield* Queue.bounded<Uint8Array, Cause.Done>(waitingPartsMax)
  const people = new Set<SubjectKey>()
  let total = 0
  const add = (lines: ReadonlyArray<ReadonlyArray<string>>) =>
    lines.length === 0
      ? Effect.void
      : Effect.flatMap(compressed(lines.map(csvLine).join("")), (part) =>
          Effect.asVoid(Queue.offer(parts, part)),
        )
  const visit = (rows: ReadonlyArray<ExportRow>): Effect.Effect<void, StoreUnavailable> => {
    total += rows.length
    for (const { person } of rows) if (person !== null) people.add(person)
    return add(rows.map(({ cells }) => cells))
  }
  const read = job.type === "customers" ? exportPeople : exportDeliveries
  const reading = read(snapshot, workspace, job, (columns) => add([columns]), visit).pipe(
    Effect.andThen(Queue.end(parts)),
  )
  const saving = files.save(exportFile(workspace, job.id, "rows"), Stream.fromQueue(parts))
  yield* Effect.all([reading, saving], { concurrency: 2, discard: true })
  yield* files.save(exportFile(workspace, job.id, "keys"), Stream.succeed(encodeKeys(people)))
  return total
}, Effect.scoped)
