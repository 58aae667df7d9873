import type { Block } from "@inlethq/wire/csv/Blocks"
import type { ImportKind } from "@inlethq/wire/csv/ImportFile"
import { importErrorsDefault } from "@inlethq/contract/transfer/Imports"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { Principal } from "@inlethq/contract/access/Access"
import { Conflict, InvalidRequest, Unavailable } from "@inlethq/contract/access/Problem"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { AuditLog } from "@inlethq/core/ports/AuditLog"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect, Option, Semaphore, Sink, Stream } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AccessEnds } from "../../access/AccessEnds.ts"
import { sentNow } from "../../access/sentNow.ts"
import { answerHeader } from "../../answerHeader.ts"
import { Draining } from "../node/Draining.ts"
import { recordEnd } from "./importsEnd.ts"
import { ImportedErasures } from "./importsErased.ts"
import { ImportKeys } from "./importsKeys.ts"
import { importExported } from "./importsExported.ts"
import { isDifferentFile, keyReusedDetail, type ImportRequest } from "./importsRun.ts"
import { blocksOf, importLines } from "./importsStream.ts"
import type { Tally } from "./importsTally.ts"
import { workspaceAt } from "../answers/lookup.ts"
import { actorOf } from "../../audit/AuditTrail.ts"
import { note } from "../../audit/note.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"

/** The largest number of imports that run at the same time. */
const importsMax = 4

/**
 * The largest number of imports that wait for another one to end. Further imports get a 503 response. The server does
 * not read the upload of an import that waits, except the first block of one with an `Idempotency-Key`. So each holds at
 * most a block and what Node reads ahead, and all of them together about 15 MB.
 */
const importsWaitingMax = 32

/** The value of `Retry-After` for an import that is refused, in seconds. An import takes longer than other calls. */
const importRetrySeconds = 10

export const importHandlers = HttpApiBuilder.group(
  ManagementApi,
  "imports",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const services = { ingest: yield* Ingest, store: yield* Store }
    const erasures = new ImportedErasures(yield* ErasureLedger, services.store)
    const exported = { ...services, catalog: yield* Catalog, erasures }
    const places = yield* Semaphore.make(importsMax + importsWaitingMax)
    const turns = yield* Semaphore.make(importsMax)
    const draining = yield* Draining
    const audit = yield* AuditLog

    /**
     * Waits for the first block of an uploaded file. Fails if the `Idempotency-Key` of the upload was used for a
     * different file. Otherwise, returns a stream of the whole file, including the first block.
     */
    const unlessReused = Effect.fnUntraced(function* (
      file: ImportRequest["file"],
      keys: ImportKeys,
      workspace: Workspace,
    ) {
      const [first, rest] = yield* Stream.peel(file, Sink.head<Block>()).pipe(
        Effect.mapError(() => new InvalidRequest({ detail: problemTexts.noFile() })),
      )
      if (Option.isNone(first)) return rest
      const isDifferent = yield* isDifferentFile(services.store, workspace, keys.next(first.value.bytes))
      if (isDifferent) return yield* new Conflict({ detail: keyReusedDetail })
      return Stream.concat(Stream.succeed(first.value), rest)
    })

    const importer = (kind: ImportKind) =>
      Effect.fn(`management.imports.${kind}`)(function* ({ headers, params, payload, query }: ImportCall) {
        const workspace = yield* sentNow(yield* workspaceAt(registry, params.w))
        yield* takePlace(places)
        const key = headers["idempotency-key"]
        const body = blocksOf(payload)
        const file =
          key === undefined ? body : yield* unlessReused(body, new ImportKeys(kind, key), workspace)
        const errorsMax = query.errors ?? importErrorsDefault
        const ended = Effect.raceFirst(draining, yield* AccessEnds)
        const actor = actorOf(yield* Principal)
        const ends = (tally: Tally, isWhole: boolean) =>
          Effect.ignoreCause(
            recordEnd(audit, {
              workspace: workspace.id,
              kind,
              actor,
              outcome: isWhole ? "done" : "failed",
              counts: tally.counts,
            }),
            { log: "Warn", message: "the end of an import was not written to the audit log" },
          )
        return importLines(services, { kind, workspace, file, key, errorsMax }, { turns, ended, ends })
      }, orUnavailable)

    return handlers.handleAll({
      people: importer("people"),
      events: importer("events"),
      exported: Effect.fn("management.imports.exported")(function* ({ params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        yield* note({ details: { entities: payload.entities.length } })
        return { results: yield* importExported(exported, workspace, payload) }
      }, orUnavailable),
    })
  }),
)

/**
 * Takes a place among the imports that run or wait. It belongs to the scope of the request, which closes after the
 * response was sent. Fails if no place is free.
 */
const takePlace = Effect.fnUntraced(function* (places: Semaphore.Semaphore) {
  const taken = yield* Effect.acquireRelease(Semaphore.takeIfAvailable(places, 1), (isTaken) =>
    isTaken ? Semaphore.release(places, 1) : Effect.void,
  )
  if (taken) return
  yield* answerHeader("retry-after", String(importRetrySeconds))
  return yield* new Unavailable({
    detail: problemTexts.tooManyImports({ running: importsMax, waiting: importsWaitingMax }),
  })
})

/** The parameters of an import call. */
interface ImportCall {
  readonly params: { readonly w: WorkspaceId }
  readonly query: { readonly errors?: number }
  readonly headers: { readonly "idempotency-key"?: string | undefined }
  readonly payload: Stream.Stream<Uint8Array, unknown>
}
