import type { ImportKind } from "@inlet/api/csv/ImportFile"
import { ManagementApi } from "@inlet/api/management/ManagementApi"
import type { WorkspaceId } from "@inlet/core/Identifier"
import { Ingest } from "@inlet/core/Ingest"
import { Registry } from "@inlet/core/Registry"
import { Store } from "@inlet/core/Store"
import { Effect, Semaphore, type Stream } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Draining } from "./Draining.ts"
import { importLines } from "./importsStream.ts"
import { workspaceAt } from "./lookup.ts"
import { orUnavailable } from "./problems.ts"

/** Imports that run at a time; further ones wait, and their files with them. */
const importsMax = 4

export const importHandlers = HttpApiBuilder.group(
  ManagementApi,
  "imports",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const services = { ingest: yield* Ingest, store: yield* Store }
    const terms = { turns: yield* Semaphore.make(importsMax), draining: yield* Draining }

    const importer = (kind: ImportKind) =>
      Effect.fn(`management.imports.${kind}`)(function* ({ headers, params, payload }: ImportCall) {
        const workspace = yield* workspaceAt(registry, params.w)
        const key = headers["idempotency-key"]
        return importLines(services, { kind, workspace, body: payload, key }, terms)
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
