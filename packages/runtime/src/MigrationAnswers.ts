import { Effect, Exit, Layer, Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { HttpSettings } from "@inlethq/http/HttpSettings"
import { json, send } from "@inlethq/http/ingestion/Answer"
import { Listener } from "@inlethq/http/listener/Listener"
import { RefusedCalls } from "@inlethq/http/listener/RefusedCalls"

/** Answers requests while the store migrates, so that probes see a server that lives and is not ready yet. */
export interface MigrationAnswers {
  /** Listens from the first call on, and answers with what the migration does. */
  readonly tell: (doing: string) => Effect.Effect<void>
  /** Stops listening, so that the server can listen on the same address. */
  readonly close: Effect.Effect<void>
}

export const makeMigrationAnswers: Effect.Effect<MigrationAnswers, never, HttpSettings | Scope.Scope> =
  Effect.gen(function* () {
    const outer = yield* Effect.context<HttpSettings>()
    const scope = yield* Scope.make()
    const close = Scope.close(scope, Exit.void)
    yield* Effect.addFinalizer(() => close)
    let reason = ""
    let isListening = false
    const listener = Listener.layer.pipe(Layer.provide(RefusedCalls.layer))
    const listen = Effect.gen(function* () {
      const services = yield* Layer.build(listener)
      const { listen: start } = yield* Effect.provide(Listener, services)
      yield* start((_serves, request, response) => answer(reason, request, response))
    }).pipe(
      Scope.provide(scope),
      Effect.provide(outer),
      // The server itself will say why it cannot listen.
      Effect.ignore,
    )
    return {
      tell: (doing) =>
        Effect.suspend(() => {
          reason = doing
          if (isListening) return Effect.void
          isListening = true
          return listen
        }),
      close,
    }
  })

const answer = (reason: string, request: IncomingMessage, response: ServerResponse): void => {
  if (request.url === "/health/live") return send(response, "svc", json(200, { status: "live" }), true)
  send(
    response,
    "svc",
    { ...json(503, { status: "unready", reason }), headers: { "retry-after": "1" } },
    true,
  )
}
