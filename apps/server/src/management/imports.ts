import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { Ingest } from "@inlet/core/Ingest"
import { Registry } from "@inlet/core/Registry"
import { Store } from "@inlet/core/Store"
import { Effect, Semaphore } from "effect"
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

    return handlers.handleAll({
      people: Effect.fn("management.imports.people")(function* ({ headers, params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const key = headers["idempotency-key"]
        return importLines(services, { kind: "people", workspace, body: payload, key }, terms)
      }, orUnavailable),

      events: Effect.fn("management.imports.events")(function* ({ headers, params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const key = headers["idempotency-key"]
        return importLines(services, { kind: "events", workspace, body: payload, key }, terms)
      }, orUnavailable),
    })
  }),
)
