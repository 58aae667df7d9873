import type { Block } from "@inlet/api/csv/Blocks"
import type { ImportKind } from "@inlet/api/csv/ImportFile"
import { importErrorsDefault } from "@inlet/api/management/Imports"
import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { Conflict, InvalidRequest } from "@inlet/api/management/Problem"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { Ingest } from "@inlet/core/engine/Ingest"
import { Registry } from "@inlet/core/ports/Registry"
import { Store } from "@inlet/core/ports/Store"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Effect, Option, Semaphore, Sink, Stream } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Draining } from "./Draining.ts"
import { ImportKeys } from "./importsKeys.ts"
import { isDifferentFile, keyReusedDetail, type ImportRequest } from "./importsRun.ts"
import { blocksOf, importLines } from "./importsStream.ts"
import { workspaceAt } from "./lookup.ts"
import { orUnavailable } from "./problems.ts"
import { details } from "./details.ts"

/**
 * The largest number of imports that run at the same time. Further imports wait, and the server does not read their
 * uploads.
 */
const importsMax = 4

export const importHandlers = HttpApiBuilder.group(
  ManagementApi,
  "imports",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const services = { ingest: yield* Ingest, store: yield* Store }
    const terms = { turns: yield* Semaphore.make(importsMax), draining: yield* Draining }

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
        Effect.mapError(() => new InvalidRequest({ detail: details.noFile() })),
      )
      if (Option.isNone(first)) return rest
      const isDifferent = yield* isDifferentFile(services.store, workspace, keys.next(first.value.bytes))
      if (isDifferent) return yield* new Conflict({ detail: keyReusedDetail })
      return Stream.concat(Stream.succeed(first.value), rest)
    })

    const importer = (kind: ImportKind) =>
      Effect.fn(`management.imports.${kind}`)(function* ({ headers, params, payload, query }: ImportCall) {
        const workspace = yield* workspaceAt(registry, params.w)
        const key = headers["idempotency-key"]
        const body = blocksOf(payload)
        const file =
          key === undefined ? body : yield* unlessReused(body, new ImportKeys(kind, key), workspace)
        const errorsMax = query.errors ?? importErrorsDefault
        return importLines(services, { kind, workspace, file, key, errorsMax }, terms)
      }, orUnavailable)

    return handlers.handleAll({ people: importer("people"), events: importer("events") })
  }),
)

/** The parameters of an import call. */
interface ImportCall {
  readonly params: { readonly w: WorkspaceId }
  readonly query: { readonly errors?: number }
  readonly headers: { readonly "idempotency-key"?: string | undefined }
  readonly payload: Stream.Stream<Uint8Array, unknown>
}
