import { Clock, Effect, Exit, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Ingest } from "@inlet/core/engine/Ingest"
import { Store } from "@inlet/core/ports/Store"

/** An operation that has waited this long says that the server does not keep up. */
const oldestWaitingMaxMs = 30_000

/** A probe writes to the disk, so it is not repeated for every question. */
const probeTrustedMs = 500

const live = HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" }))

const unready = (reason: string) =>
  HttpServerResponse.jsonUnsafe(
    { status: "unready", reason },
    { status: 503, headers: { "retry-after": "1" } },
  )

/** Ready while a commit would succeed and nothing has waited for too long. */
const ready = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const ingest = yield* Ingest
    const probe = yield* Effect.cachedWithTTL(Effect.exit((yield* Store).probe), probeTrustedMs)
    const answer = Effect.gen(function* () {
      const { committing, oldestWaitingAt } = yield* ingest.status
      if (!committing || Exit.isFailure(yield* probe)) return unready("the store cannot commit")
      const now = yield* Clock.currentTimeMillis
      return oldestWaitingAt !== null && now - oldestWaitingAt > oldestWaitingMaxMs
        ? unready("operations have waited for too long")
        : HttpServerResponse.jsonUnsafe({ status: "ready" })
    })
    yield* router.add("GET", "/health/ready", answer)
  }),
)

export const layer = Layer.merge(live, ready)
