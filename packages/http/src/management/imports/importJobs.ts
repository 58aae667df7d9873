import { importDocument, ImportDocument } from "@inlethq/contract/transfer/ImportJobs"
import { ImportCursor } from "@inlethq/contract/values/Cursor"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { pageItemsDefault, pageRequest } from "@inlethq/contract/values/Page"
import { Conflict, Unavailable } from "@inlethq/contract/access/Problem"
import {
  hasEnded,
  ImportFiles,
  ImportJobs,
  type ImportId,
  type ImportJob,
} from "@inlethq/core/ports/ImportJobs"
import { Registry } from "@inlethq/core/ports/Registry"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Effect, Semaphore } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AccessEnds } from "../../access/AccessEnds.ts"
import { sentNow } from "../../access/sentNow.ts"
import { answerHeader } from "../../answerHeader.ts"
import { note } from "../../audit/note.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { foundOr404, workspaceAt } from "../answers/lookup.ts"
import { pageAnswer } from "../answers/pageAnswer.ts"
import { Draining } from "../node/Draining.ts"
import { ImportNode } from "./ImportNode.ts"
import { createImport } from "./importsCreate.ts"

/** The largest number of files that are uploaded at the same time. */
const uploadsMax = 8

/** The value of `Retry-After` for an upload that is refused, in seconds. */
const uploadRetrySeconds = 10

/** The most attempts to cancel an import whose progress is saved at the same time. */
const cancelAttemptsMax = 20

const answerPage = pageAnswer(importDocument, ImportDocument, ImportCursor)

export const importJobHandlers = HttpApiBuilder.group(
  ManagementApi,
  "importJobs",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const jobs = yield* ImportJobs
    const files = yield* ImportFiles
    const turns = yield* Turns
    const node = yield* ImportNode
    const draining = yield* Draining
    const uploads = yield* Semaphore.make(uploadsMax)

    const jobAt = Effect.fnUntraced(function* (w: WorkspaceId, id: ImportId) {
      const workspace = yield* workspaceAt(registry, w)
      return yield* foundOr404(yield* jobs.find(workspace.id, id), problemTexts.notFound({ thing: "import" }))
    })

    return handlers.handleAll({
      create: Effect.fn("management.importJobs.create")(function* ({ headers, params, payload, query }) {
        const workspace = yield* sentNow(yield* workspaceAt(registry, params.w))
        yield* takePlace(uploads)
        const { kind, name = null } = query
        const request = { workspace, kind, name, key: headers["idempotency-key"] ?? null, body: payload }
        const ended = Effect.raceFirst(draining, yield* AccessEnds)
        const job = yield* createImport({ files, jobs, node }, request, ended)
        yield* note({ target: { id: job.id }, details: { kind: job.kind, bytes: job.bytes } })
        return importDocument(job)
      }, orUnavailable),

      list: Effect.fn("management.importJobs.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        return yield* answerPage(turns, yield* jobs.list(workspace.id, pageRequest(query)))
      }, orUnavailable),

      get: Effect.fn("management.importJobs.get")(function* ({ params }) {
        return importDocument(yield* jobAt(params.w, params.import_id))
      }, orUnavailable),

      errors: Effect.fn("management.importJobs.errors")(function* ({ params, query }) {
        const job = yield* jobAt(params.w, params.import_id)
        const { after = 0, limit = pageItemsDefault } = query
        const found = yield* jobs.errors(job.workspace, job.id, { after, limit: limit + 1 })
        const items = found.slice(0, limit)
        const next = found.length > limit ? (items.at(-1)?.number ?? null) : null
        return { items: items.map(({ line, message }) => ({ line, message })), next }
      }, orUnavailable),

      cancel: Effect.fn("management.importJobs.cancel")(function* ({ params }) {
        for (let attempt = 0; attempt < cancelAttemptsMax; attempt++) {
          const job = yield* jobAt(params.w, params.import_id)
          yield* note({ target: { id: job.id } })
          if (job.state === "cancelling") return importDocument(job)
          if (hasEnded(job)) {
            return yield* new Conflict({ detail: problemTexts.importHasEnded({ state: job.state }) })
          }
          // The node that works at it ends it, because only that node knows which rows it has imported.
          const cancelling: ImportJob = { ...job, state: "cancelling" }
          if (yield* jobs.save(cancelling, [])) return importDocument(cancelling)
        }
        return yield* new Unavailable({ detail: problemTexts.importIsBusy() })
      }, orUnavailable),
    })
  }),
)

/** Takes a place among the uploads, until the response was sent. Fails if no place is free. */
const takePlace = Effect.fnUntraced(function* (uploads: Semaphore.Semaphore) {
  const taken = yield* Effect.acquireRelease(Semaphore.takeIfAvailable(uploads, 1), (isTaken) =>
    isTaken ? Semaphore.release(uploads, 1) : Effect.void,
  )
  if (taken) return
  yield* answerHeader("retry-after", String(uploadRetrySeconds))
  return yield* new Unavailable({ detail: problemTexts.tooManyUploads({ max: uploadsMax }) })
})
