import { Clock, Effect, Exit, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { NodeFitness } from "@inlethq/core/ports/NodeFitness"
import { Store } from "@inlethq/core/ports/Store"

/** The longest time that an operation may wait in the queue of a server that is ready. */
const oldestWaitingMaxMs = 30_000

/**
 * The time for which the result of a store probe is cached. The cache limits the number of probes, because each probe
 * writes to disk.
 */
const probeCachedMs = 500

const live = HttpRouter.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" }))

const unready = (reason: string) =>
  HttpServerResponse.jsonUnsafe(
    { status: "unready", reason },
    { status: 503, headers: { "retry-after": "1" } },
  )

/**
 * GET `/health/ready`: responds with 200 if the node may work, the store can commit and no operation has waited too long in
 * the queue, else with 503.
 */
const ready = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const ingest = yield* Ingest
    const { unfit } = yield* NodeFitness
    const probe = yield* Effect.cachedWithTTL(Effect.exit((yield* Store).probe), probeCachedMs)
    const answer = Effect.gen(function* () {
      const unfitness = unfit()
      if (unfitness !== null) return unready(unfitness.message)
      const { committing, oldestWaitingAt } = yield* ingest.status
      if (!committing || Exit.isFailure(yield* probe)) return unready("the store cannot commit")
      const now = yield* Clock.currentTimeMillis
      return oldestWaitingAt !== null && now - oldestWaitingAt > oldestWaitingMaxMs
        ? unready("operations have waited in the queue for too long")
        : HttpServerResponse.jsonUnsafe({ status: "ready" })
    })
    yield* router.add("GET", "/health/ready", answer)
  }),
)

export const layer = Layer.merge(live, ready)
