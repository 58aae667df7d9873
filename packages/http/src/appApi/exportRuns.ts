import type { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { needsOf } from "@inlethq/core/CommandTable"
import type { ExportFiles } from "@inlethq/core/ports/ExportFiles"
import type { Store, StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Cause, Clock, Duration, Effect, Fiber, Option } from "effect"
import { randomUUID } from "node:crypto"
import { findJob, removeMade, removeStatus, saveJob, type ExportJob } from "./ExportJob.ts"
import { writeExport } from "./writeExport.ts"

/** The most exports that a node makes at the same time. */
const runningMax = 2

/** The pause before an export begins again that failed, for example because the store was unavailable. */
const failedPause = Duration.seconds(1)

interface Services {
  readonly files: ExportFiles["Service"]
  readonly snapshots: Snapshots["Service"]
  readonly store: Store["Service"]
  readonly turns: ReadTurns
  /** Tells whether no other node works at exports. */
  readonly isMine: Effect.Effect<boolean>
}

/** Makes what starts and ends the making of exports. */
export const makeExportRuns = Effect.fnUntraced(function* ({
  files,
  isMine,
  snapshots,
  store,
  turns,
}: Services) {
  const scope = yield* Effect.scope

  const endOfLog = (workspace: WorkspaceId) =>
    Effect.map(store.view(needsOf(workspace, [])), ({ nextSequence }) => nextSequence - 1)

  const fail = Effect.fnUntraced(function* (workspace: WorkspaceId, job: ExportJob) {
    const updatedAt = yield* Clock.currentTimeMillis
    yield* removeStatus(files, workspace, job.id, "failed")
    yield* saveJob(files, workspace, { ...ended(job), status: "failed", updatedAt })
    yield* removeMade(files, workspace, job)
    for (const status of ["done", "pending"] as const) yield* removeStatus(files, workspace, job.id, status)
  })

  /** Returns whether an export still waits for what this node makes. */
  const isWanted = Effect.fnUntraced(function* (workspace: WorkspaceId, id: number) {
    const found = yield* findJob(files, workspace, id)
    return Option.isSome(found) && found.value.status === "pending" && (yield* isMine)
  })

  /** Makes an export. One that was interrupted begins again with other files. */
  const run = Effect.fnUntraced(function* (workspace: WorkspaceId, pending: ExportJob) {
    const attempt = randomUUID().replaceAll("-", "")
    const job = { ...pending, attempt, after: yield* endOfLog(workspace) }
    const total = yield* writeExport({ files, snapshots, turns }, workspace, job).pipe(
      Effect.onError(() => Effect.ignoreCause(removeMade(files, workspace, job))),
    )
    if (!(yield* isWanted(workspace, job.id))) return yield* removeMade(files, workspace, job)
    const updatedAt = yield* Clock.currentTimeMillis
    yield* saveJob(files, workspace, { ...ended(job), status: "done", total, updatedAt })
    // What the export was asked for may name people.
    yield* removeStatus(files, workspace, job.id, "pending")
  })

  const running = new Map<string, Fiber.Fiber<void, StoreUnavailable>>()

  /** Starts to make an export, unless this node makes it already, or as many as it may. */
  const start = Effect.fnUntraced(function* (name: string, workspace: WorkspaceId, job: ExportJob) {
    if (running.size >= runningMax || running.has(name)) return
    const fiber = yield* run(workspace, job).pipe(
      Effect.catchTag("AppRefused", () => fail(workspace, job)),
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) =>
          Effect.andThen(
            Effect.logWarning("an export was interrupted and will begin again", cause),
            Effect.sleep(failedPause),
          ),
      ),
      Effect.ensuring(Effect.sync(() => running.delete(name))),
      Effect.forkIn(scope),
    )
    running.set(name, fiber)
  })

  /** Ends all runs, because another node makes exports now. */
  const end = Effect.suspend(() => Fiber.interruptAll([...running.values()]))
  return { end, fail, start }
})

const ended = (job: ExportJob): ExportJob => ({ ...job, filters: null, deliveries: null, attributes: null })
