import type { HistorySample } from "@inlethq/contract/server/ServerHistory"
import { toIso } from "@inlethq/core/values/Timestamp"
import type { StorageDocument } from "@inlethq/contract/server/Server"
import { Clock, Context, Effect, Layer, Metric, Schedule } from "effect"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import { Store } from "@inlethq/core/ports/Store"
import { FreeSpace, storageGrowth } from "./storageGrowth.ts"
import { RecentMetrics } from "./RecentMetrics.ts"
import { recentDocument } from "./statusDocument.ts"

/** The seconds between two samples of the history of a node. */
export const historyStepSeconds = 60

/** The largest number of samples that are kept, which is six hours of them. */
const historySamplesMax = 360

const growth = Metric.gauge("inlet_store_growth_bytes_per_day", {
  description: "Growth of the store in the last hours, at most six, for a day",
})

const daysLeft = Metric.gauge("inlet_store_days_left", {
  description: "Days until the disk of the store is full at this growth; +Inf if it does not grow",
})

/** The state and the throughput of this node in the last hours, one sample a minute. It begins with the process. */
export class ServerHistory extends Context.Service<
  ServerHistory,
  {
    /** The samples, oldest first. */
    readonly samples: Effect.Effect<ReadonlyArray<HistorySample>>
    /** How fast the store grew over the samples. */
    readonly storage: Effect.Effect<StorageDocument>
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

      const readFree = yield* FreeSpace
      const storage = Effect.map(readFree, (free) =>
        storageGrowth(
          samples.map(({ at, store_bytes }) => ({ at: Date.parse(at), bytes: store_bytes })),
          free,
        ),
      )

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
        const { bytes_per_day, days_left, free_bytes } = yield* storage
        if (bytes_per_day === null) return
        yield* Metric.update(growth, bytes_per_day)
        if (free_bytes !== null) yield* Metric.update(daysLeft, days_left ?? Number.POSITIVE_INFINITY)
      })
      const everyStep = Schedule.spaced(`${historyStepSeconds} seconds`)
      yield* Effect.forkScoped(Effect.schedule(Effect.ignoreCause(take, { log: "Warn" }), everyStep))
      return ServerHistory.of({ samples: Effect.sync(() => samples), storage })
    }),
  ).pipe(Layer.provide(RecentMetrics.layer))
}
