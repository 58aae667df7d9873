import { Principal } from "@inlethq/contract/access/Access"
import { Conflict, InvalidRequest, Unavailable } from "@inlethq/contract/access/Problem"
import type { OpenedWorkspace } from "@inlethq/wire/decoding/Receipt"
import {
  importsUnfinishedMax,
  noCounts,
  type ImportFiles,
  type ImportJob,
  type ImportJobs,
} from "@inlethq/core/ports/ImportJobs"
import { Clock, Effect, Option, Stream } from "effect"
import { actorOf } from "../../audit/AuditTrail.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import type { ImportNodeShape } from "./ImportNode.ts"
import { silenceMax, within } from "./importsStream.ts"
import { Measure, newImportId, saveUpload, uploadMax } from "./importsUpload.ts"

/** The largest number of imports among which one with the same `Idempotency-Key` is looked for, the newest first. */
const keysReadMax = 1000

interface Uploading {
  readonly jobs: ImportJobs["Service"]
  readonly files: ImportFiles["Service"]
  readonly node: ImportNodeShape
}

interface NewImport extends Pick<ImportJob, "key" | "kind" | "name"> {
  readonly workspace: OpenedWorkspace
  readonly body: Stream.Stream<Uint8Array, unknown>
}

const notWhole = () => new InvalidRequest({ detail: problemTexts.noFile() })

/** Saves the file of a request, and returns the import that waits for its turn. Fails if the server or the access of the client ends. */
export const createImport = (uploading: Uploading, request: NewImport, ended: Effect.Effect<void>) => {
  const file = Stream.mapError(within(request.body, silenceMax), notWhole)
  const upload = Effect.gen(function* () {
    const known = yield* repeated(uploading, request, file)
    return known ?? (yield* uploaded(uploading, request, file))
  })
  return Effect.raceFirst(
    Effect.timeoutOrElse(upload, { duration: uploadMax, orElse: () => Effect.fail(notWhole()) }),
    Effect.andThen(ended, Effect.fail(new Unavailable({ detail: problemTexts.uploadStopped() }))),
  )
}

/** Returns the import that was created with an `Idempotency-Key`. Fails if its file was another one. */
const repeated = Effect.fnUntraced(function* <E>(
  { jobs }: Uploading,
  { key, workspace }: NewImport,
  file: Stream.Stream<Uint8Array, E>,
) {
  if (key === null) return undefined
  const { items } = yield* jobs.list(workspace.id, { limit: keysReadMax, after: null, order: "desc" })
  const known = items.find((job) => job.key === key && job.digest !== null)
  if (known === undefined) return undefined
  const measure = new Measure()
  yield* Stream.runDrain(measure.through(file))
  if (measure.digest === known.digest) return known
  return yield* new Conflict({ detail: problemTexts.keyOfAnotherFile() })
})

const uploaded = Effect.fnUntraced(function* <E>(
  { files, jobs, node }: Uploading,
  { key, kind, name, workspace }: NewImport,
  file: Stream.Stream<Uint8Array, E>,
) {
  const createdAt = yield* Clock.currentTimeMillis
  const job: ImportJob = {
    workspace: workspace.id,
    id: newImportId(createdAt),
    kind,
    state: "uploading",
    name,
    key,
    digest: null,
    bytes: 0,
    createdAt,
    startedAt: null,
    endedAt: null,
    actor: actorOf(yield* Principal),
    sender: workspace.sender ?? null,
    after: 0,
    counts: noCounts,
    failure: null,
    runner: node.id,
    version: 1,
  }
  if (!(yield* jobs.add(job))) {
    return yield* new Conflict({
      detail: problemTexts.tooManyUnfinishedImports({ max: importsUnfinishedMax }),
    })
  }
  const saved = yield* saveUpload(jobs, files, job, file)
  if (Option.isSome(saved)) return saved.value
  return yield* new Conflict({ detail: problemTexts.importHasEnded({ state: "cancelled" }) })
})
