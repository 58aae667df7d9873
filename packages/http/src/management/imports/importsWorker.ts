import { blocks } from "@inlethq/wire/csv/Blocks"
import type { ImportCommand } from "@inlethq/wire/csv/ImportFile"
import { utf8Of } from "@inlethq/wire/csv/utf8Of"
import type { ExportedEntity } from "@inlethq/contract/transfer/Imports"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { needsOf } from "@inlethq/core/CommandTable"
import { namedDigests } from "@inlethq/core/decision/namedDigests"
import { AuditLog } from "@inlethq/core/ports/AuditLog"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import {
  importErrorsKeptMax,
  ImportFiles,
  ImportJobs,
  importKeptMs,
  type ImportFailure,
  type ImportJob,
  type NamedImportError,
} from "@inlethq/core/ports/ImportJobs"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store, type StoreUnavailable } from "@inlethq/core/ports/Store"
import type { Reference, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { JsonObject } from "@inlethq/core/values/Json"
import { toIso } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Pace } from "@inlethq/engine/rules/Pace"
import { TrustedTime } from "@inlethq/engine/time/TrustedTime"
import { whileFit } from "@inlethq/engine/whileFit"
import { Clock, Duration, Effect, Layer, Option, Schema, Stream } from "effect"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import { BrandInUse } from "../../BrandInUse.ts"
import { recordEnd } from "./importsEnd.ts"
import { ImportedErasures } from "./importsErased.ts"
import { ImportNode } from "./ImportNode.ts"
import { runImport, type Continued, type ImportServices, type Read } from "./importsRun.ts"
import { Tally } from "./importsTally.ts"
import { uploadMax } from "./importsUpload.ts"

/** The largest number of imports that a node works at at the same time, each of another workspace. */
const runningMax = 2

/** The part of the time that imports without a client may take while requests arrive. */
const share = 1 / 4

/** The pause between two looks for imports that wait. */
const lookEvery = Duration.millis(250)

/** The largest number of imports that one look reads. */
const lookMax = 200

/** The pause before an import goes on that failed, for example because the store was unavailable. */
const failedPause = Duration.seconds(1)

/** The pause between two looks for files without an import, and for imports that ended long ago. */
const tidyEvery = Duration.minutes(1)

/** Another node works at the import, or it was cancelled. */
class Stopped extends Schema.TaggedError<Stopped>()("Stopped", {}) {}

/** Works at imports whose files were uploaded, and ends those whose upload was interrupted. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const node = yield* ImportNode
    const work = yield* makeWork
    const running = new Set<WorkspaceId>()
    const jobs = yield* ImportJobs
    const scope = yield* Effect.scope

    const start = (job: ImportJob) => {
      running.add(job.workspace)
      return work.run(job).pipe(
        Effect.catch((error) => (error instanceof Stopped ? Effect.void : Effect.fail(error))),
        Effect.catchCause((cause) =>
          Effect.andThen(
            Effect.logWarning("an import was interrupted and will go on", cause),
            Effect.sleep(failedPause),
          ),
        ),
        Effect.ensuring(Effect.sync(() => running.delete(job.workspace))),
        Effect.forkIn(scope),
      )
    }

    const look = Effect.gen(function* () {
      if (!(yield* node.may)) return
      for (const job of yield* jobs.unfinished(lookMax)) {
        if (job.state === "uploading") yield* work.endLostUpload(job)
        else if (running.size < runningMax && !running.has(job.workspace)) yield* start(job)
      }
    })
    yield* forever(look, lookEvery, "imports were not looked for; this will be retried")
    const tidy = Effect.flatMap(node.may, (isMine) => (isMine ? work.tidy : Effect.void))
    yield* forever(tidy, tidyEvery, "imports that have ended were not removed; this will be retried")
  }),
)

const forever = <E, R>(work: Effect.Effect<void, E, R>, pause: Duration.Duration, message: string) =>
  whileFit(work).pipe(
    Effect.ignoreCause({ log: "Error", message }),
    Effect.andThen(Effect.sleep(pause)),
    Effect.forever,
    Effect.forkScoped,
  )

/** What was found last in the file of an import, and why it failed. */
interface Ending {
  readonly errors?: ReadonlyArray<NamedImportError>
  readonly failure?: ImportFailure | null
}

const makeWork = Effect.gen(function* () {
  const brand = yield* BrandInUse
  const [jobs, files, registry, audit] = [
    yield* ImportJobs,
    yield* ImportFiles,
    yield* Registry,
    yield* AuditLog,
  ]
  const [store, catalog, node] = [yield* Store, yield* Catalog, yield* ImportNode]
  const services = { ingest: yield* Ingest, store }
  const erasures = new ImportedErasures(yield* ErasureLedger, store)
  const continuedOf = continuing(catalog, erasures, new Pace(share))

  /** Ends an import: records its end, saves it, and removes its file. */
  const end = Effect.fnUntraced(function* (
    job: ImportJob,
    state: "done" | "cancelled" | "failed",
    { errors = [], failure = null }: Ending,
  ) {
    const endedAt = yield* Clock.currentTimeMillis
    const { imported, rows, skipped } = job.counts
    yield* recordEnd(audit, {
      ...job,
      state,
      outcome: state === "failed" ? "failed" : "done",
      counts: { rows, imported, skipped, failed: job.counts.failed },
    })
    yield* jobs.save({ ...job, state, failure, endedAt, runner: null }, errors)
    yield* files.remove(job)
  })

  const endLostUpload = Effect.fnUntraced(function* (job: ImportJob) {
    const now = yield* yield* TrustedTime
    const isLost = node.isAlone ? job.runner !== node.id : now - job.createdAt > Duration.toMillis(uploadMax)
    if (isLost) yield* end(job, "failed", { failure: "upload_interrupted" })
  })

  const run = Effect.fnUntraced(function* (job: ImportJob) {
    const workspace = yield* registry.workspace(job.workspace)
    if (Option.isNone(workspace)) return yield* files.remove(job)
    if (job.state === "cancelling") return yield* end(job, "cancelled", {})
    const isResumed = job.startedAt !== null
    const { nextSequence } = yield* store.view(needsOf(job.workspace, []))
    const taken: ImportJob = {
      ...job,
      state: "running",
      runner: node.id,
      startedAt: job.startedAt ?? (yield* Clock.currentTimeMillis),
      after: isResumed ? job.after : nextSequence - 1,
    }
    if (!(yield* jobs.save(taken, []))) return
    const reading = { ...services, brand, jobs, files, may: node.may, runner: node.id, end }
    const current = { ...taken, version: taken.version + 1 }
    yield* readFile(reading, current, workspace.value, continuedOf(current, isResumed))
  })

  const tidy = Effect.gen(function* () {
    for (const key of yield* files.list) {
      const job = yield* jobs.find(key.workspace, key.id)
      if (Option.isNone(job) || job.value.endedAt !== null) yield* files.remove(key)
    }
    const before = (yield* yield* TrustedTime) - importKeptMs
    yield* Effect.repeat(jobs.prune(before), { until: (isDone) => isDone })
  })

  return { endLostUpload, run, tidy }
})

/** Returns a function that says how an import goes on. */
const continuing =
  (catalog: Catalog["Service"], erasures: ImportedErasures, pace: Pace) =>
  (job: ImportJob, isResumed: boolean): Continued => ({
    records: job.counts.records,
    after: isResumed ? job.after : null,
    entryAt: (sequence) =>
      Effect.map(
        catalog.operation(job.workspace, sequence),
        Option.map(({ entry }) => entry),
      ),
    allowed: Effect.fnUntraced(function* (commands) {
      const entities = new Map(commands.map((command) => [entityOf(command, job), command]))
      const kept = yield* erasures.withoutErased(job.workspace, [...entities.keys()])
      return new Set([...kept.keys()].flatMap((entity) => entities.get(entity) ?? []))
    }),
    namingErased: Effect.fnUntraced(function* (faults) {
      const entities = new Map(
        faults.flatMap((fault) =>
          (fault.named ?? []).map((text) => [rowEntity({ id: text, email: text }, job), fault] as const),
        ),
      )
      const kept = yield* erasures.withoutErased(job.workspace, [...entities.keys()])
      return new Set([...entities].flatMap(([entity, fault]) => (kept.has(entity) ? [] : [fault])))
    }),
    pace,
  })

/** What reading the file of an import needs. */
interface Reading extends ImportServices {
  readonly jobs: ImportJobs["Service"]
  readonly files: ImportFiles["Service"]
  readonly may: Effect.Effect<boolean>
  readonly runner: string
  readonly brand: WrittenBrand
  readonly end: (
    job: ImportJob,
    state: "done" | "cancelled" | "failed",
    ending: Ending,
  ) => Effect.Effect<void, StoreUnavailable>
}

/** Imports the rest of a file, saves the progress after each commit, and ends the import. Fails with `Stopped` if it is no longer this node's. */
const readFile = Effect.fnUntraced(function* (
  { brand, end, files, jobs, may, runner, ...services }: Reading,
  taken: ImportJob,
  workspace: Workspace,
  continued: Continued,
) {
  let job = taken
  let bytes = 0
  const { digest } = yield* services.store.view(needsOf(job.workspace, []))
  const tally = new Tally(importErrorsKeptMax - job.counts.errors, brand, job.counts)
  /** Returns the import with what was read of its file, and the errors that were found since. */
  const withRead = (read: Pick<Read, "bytes" | "records">) => {
    const errors = tally.takeErrors().map(({ line, message, named }, index) => ({
      line,
      message,
      number: job.counts.errors + index + 1,
      names: named.flatMap((text) => namedDigests(digest, job.workspace, text)),
    }))
    const counts = {
      ...tally.counts,
      records: Math.max(job.counts.records, read.records),
      bytes: Math.min(job.bytes, read.bytes),
      errors: job.counts.errors + errors.length,
    }
    return { errors, next: { ...job, counts } }
  }
  const saveProgress = Effect.fnUntraced(function* (soFar: Read) {
    const { errors, next } = withRead(soFar)
    if (yield* jobs.save(next, errors)) {
      job = { ...next, version: next.version + 1 }
      return (yield* may) ? undefined : yield* new Stopped()
    }
    const known = yield* jobs.find(job.workspace, job.id)
    if (Option.isSome(known) && known.value.state === "cancelling" && known.value.runner === runner) {
      yield* end({ ...next, version: known.value.version }, "cancelled", { errors })
    }
    return yield* new Stopped()
  })
  const file = Stream.tap(files.read(job), (part) => Effect.sync(() => (bytes += part.length)))
  const request = {
    kind: job.kind,
    workspace: { ...workspace, sender: job.sender },
    file: blocks(utf8Of(file)),
    key: job.key ?? undefined,
  }
  const done = yield* runImport(services, request, tally, saveProgress, continued)
  const { errors, next } = withRead(done)
  const failure = bytes < job.bytes ? "file_missing" : done.isRefused ? "wrong_header" : null
  yield* end(next, failure === null ? "done" : "failed", { errors, failure })
})

/** Returns what the ledger of erasures is asked about a row: whom it names, at the time of its upload. */
const entityOf = (command: ImportCommand, job: ImportJob): ExportedEntity => {
  const named = command._tag === "IdentifyPerson" ? { id: command.id, email: command.email } : {}
  return rowEntity(
    {
      ...namesIn(command.target),
      ...Object.fromEntries(Object.entries(named).filter(([, name]) => name !== null)),
    },
    job,
  )
}

const rowEntity = (identifiers: JsonObject, { createdAt }: ImportJob): ExportedEntity => ({
  entity: { type: "person", identifiers },
  key: "row",
  received_at: toIso(createdAt),
})

const namesIn = (reference: Reference | null): Record<string, string> => {
  switch (reference?._tag) {
    case "ByIdentifier":
      return { [reference.kind]: reference.value }
    case "ByBareText":
      return { id: reference.value, ...namesIn(reference.otherwise) }
    case "BySvcId":
    case undefined:
      return {}
  }
}
