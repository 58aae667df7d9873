import type { HistorySample } from "@inlethq/contract/server/ServerHistory"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Store } from "@inlethq/core/ports/Store"
import { RecentMetrics } from "./RecentMetrics.ts"
import { recentDocument } from "./statusDocument.ts"

/** The seconds between two samples of the history of a node. */
export const historyStepSeconds = 60

/** The largest number of samples that are kept, which is six hours of them. */
const historySamplesMax = 360

/** The state and the throughput of this node in the last hours, one sample a minute. It begins with the process. */
export class ServerHistory extends Context.Service<
  ServerHistory,
  {
    /** The samples, oldest first. */
    readonly samples: Effect.Effect<ReadonlyArray<HistorySample>>
  }
>()("@inlethq/http/management/server/ServerHistory") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const ingest = yield* Ingest
      const store = yield* Store
      const { since } = yield* RecentMetrics
      let last = yield* since(null)
      let samples: ReadonlyArray<HistorySample> = []

      const take = Effect.gen(function* () {
        const storeBytes = yield* Effect.orElseSucceed(store.size, () => null)
        const { committing, oldestWaitingAt, waitingCommands } = yield* ingest.status
        const now = yield* Clock.currentTimeMillis
        last = yield* since(last.sample)
        const sample = {
          at: toIso(now),
          ...recentDocument(last.changes),
          committing,
          queue: {
            operations: waitingCommands,
            wait_ms: oldestWaitingAt === null ? 0 : Math.max(0, now - oldestWaitingAt),
          },
          store_bytes: storeBytes,
          memory_bytes: process.memoryUsage.rss(),
        }
        samples = [...samples, sample].slice(-historySamplesMax)
      })
      const everyStep = Schedule.spaced(`${historyStepSeconds} seconds`)
      yield* Effect.forkScoped(Effect.schedule(Effect.ignoreCause(take, { log: "Warn" }), everyStep))
      return ServerHistory.of({ samples: Effect.sync(() => samples) })
    }),
  ).pipe(Layer.provide(RecentMetrics.layer))
}
