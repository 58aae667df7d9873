import { Clock, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { Ingest } from "@inlet/core/Ingest"
import { Store } from "@inlet/core/Store"

/** An operation that has waited this long says that the server does not keep up. */
const oldestWaitingMaxMs = 30_000

const live = HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" }))

const unready = (reason: string) =>
  HttpServerResponse.jsonUnsafe(
    { status: "unready", reason },
    { status: 503, headers: { "retry-after": "1" } },
  )

/** Ready while a commit would succeed and nothing has waited for too long. */
const ready = HttpRouter.add(
  "GET",
  "/health/ready",
  Effect.gen(function* () {
    const ingest = yield* Ingest
    const store = yield* Store
    const { committing, oldestWaitingAt } = yield* ingest.status
    if (!committing) return unready("the store cannot commit")
    const now = yield* Clock.currentTimeMillis
    if (oldestWaitingAt !== null && now - oldestWaitingAt > oldestWaitingMaxMs) {
      return unready("operations have waited for too long")
    }
    return yield* store.probe.pipe(
      Effect.as(HttpServerResponse.jsonUnsafe({ status: "ready" })),
      Effect.catch(() => Effect.succeed(unready("the store cannot commit"))),
    )
  }),
)

export const layer = Layer.mergeAll(live, ready, PrometheusMetrics.layerHttp({ path: "/metrics" }))
