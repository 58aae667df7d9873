import type { Block } from "@inlet/api/csv/Blocks"
import type { ImportKind } from "@inlet/api/csv/ImportFile"
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
import { RowKeys } from "./importsKeys.ts"
import { isOfAnotherFile, keyOfAnotherFile, type ImportRequest } from "./importsRun.ts"
import { attended, importLines } from "./importsStream.ts"
import { workspaceAt } from "./lookup.ts"
import { orUnavailable } from "./problems.ts"
import { details } from "./details.ts"

/** Imports that run at a time; further ones wait, and their files with them. */
const importsMax = 4

export const importHandlers = HttpApiBuilder.group(
  ManagementApi,
  "imports",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const services = { ingest: yield* Ingest, store: yield* Store }
    const terms = { turns: yield* Semaphore.make(importsMax), draining: yield* Draining }

    /** The same file, once its first block has arrived; fails if the key was used for another one. */
    const unlessOther = Effect.fnUntraced(function* (
      file: ImportRequest["file"],
      keys: RowKeys,
      workspace: Workspace,
    ) {
      const [first, rest] = yield* Stream.peel(file, Sink.head<Block>()).pipe(
        Effect.mapError(() => new InvalidRequest({ detail: details.noFile() })),
      )
      if (Option.isNone(first)) return rest
      const isOther = yield* isOfAnotherFile(services.store, workspace, keys.next(first.value.bytes))
      if (isOther) return yield* new Conflict({ detail: keyOfAnotherFile })
      return Stream.concat(Stream.succeed(first.value), rest)
    })

    const importer = (kind: ImportKind) =>
      Effect.fn(`management.imports.${kind}`)(function* ({ headers, params, payload }: ImportCall) {
        const workspace = yield* workspaceAt(registry, params.w)
        const key = headers["idempotency-key"]
        const sent = attended(payload)
        const file = key === undefined ? sent : yield* unlessOther(sent, new RowKeys(kind, key), workspace)
        return importLines(services, { kind, workspace, file, key }, terms)
      }, orUnavailable)

    return handlers.handleAll({ people: importer("people"), events: importer("events") })
  }),
)

/** What both calls take. */
interface ImportCall {
  readonly params: { readonly w: WorkspaceId }
  readonly headers: { readonly "idempotency-key"?: string | undefined }
  readonly payload: Stream.Stream<Uint8Array, unknown>
}
