import type { KafkaDocument } from "@inlet/api/management/Server"
import { Catalog } from "@inlet/core/catalog/Catalog"
import { Registry } from "@inlet/core/ports/Registry"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Clock, Context, Effect, FiberMap, Layer, Schedule, Semaphore } from "effect"
import { newestSequence } from "@inlet/api/log/newestSequence"
import { MayDeliver } from "../MayDeliver.ts"
import { KafkaFeed, type FeedServices } from "./KafkaFeed.ts"
import { measureLag, registerMetrics } from "./kafkaMetrics.ts"

/**
 * The pause between two reads of the settings of all workspaces. After each read, the lag of each copy to Kafka (the log
 * entries not yet sent) is measured.
 */
const refreshInterval = "5 seconds"

/**
 * The largest number of feeds (copies of single workspaces) that hold a batch in memory at the same time. Further feeds
 * wait.
 */
const batchesAtOnceMax = 8

/**
 * A running copy of one workspace's log, and the number of entries that it had not sent when the lag was last measured.
 */
interface Running {
  readonly feed: KafkaFeed
  lagEntries: number
}

/** Copies activity logs to Kafka, for the workspaces with a topic in their settings. */
export class KafkaFeeds extends Context.Service<
  KafkaFeeds,
  {
    /** Returns the state of all copies to Kafka that this node makes, or null if `INLET_KAFKA` is not set. */
    readonly status: Effect.Effect<KafkaDocument | null>
  }
>()("@inlet/outbound/kafka/KafkaFeeds") {}

/** Copies nothing. */
export const layerOff = Layer.succeed(KafkaFeeds, { status: Effect.succeed(null) })

/** Starts and stops the copies to Kafka when the settings of workspaces change. */
export const layer = Layer.effect(
  KafkaFeeds,
  Effect.gen(function* () {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const mayDeliver = yield* MayDeliver
    yield* registerMetrics
    const services = yield* Effect.context<FeedServices>()
    const permits = yield* Semaphore.make(batchesAtOnceMax)
    const fibers = yield* FiberMap.make<WorkspaceId>()
    const running = new Map<WorkspaceId, Running>()
    let isAllowed = false

    const stop = Effect.fnUntraced(function* (workspace: WorkspaceId) {
      running.delete(workspace)
      yield* FiberMap.remove(fibers, workspace)
      yield* measureLag(workspace, 0, 0)
    })

    const start = Effect.fnUntraced(function* (workspace: WorkspaceId, topic: string) {
      const feed = new KafkaFeed(workspace, topic, permits)
      running.set(workspace, { feed, lagEntries: 0 })
      // A feed (the copy of one workspace to Kafka) ends only because of a bug. The next refresh then starts it again.
      const run = feed.run().pipe(
        Effect.tapCause((cause) => Effect.logError("a copy to Kafka stopped and will be restarted", cause)),
        Effect.ensuring(
          Effect.sync(() => {
            if (running.get(workspace)?.feed === feed) running.delete(workspace)
          }),
        ),
        Effect.provide(services),
      )
      yield* FiberMap.run(fibers, workspace, run)
    })

    const adjust = Effect.fnUntraced(function* (workspaces: ReadonlyArray<Workspace>) {
      const topics = new Map(
        workspaces.flatMap(({ id, kafka }) => (kafka === null ? [] : [[id, kafka.topic]])),
      )
      for (const [workspace, { feed }] of running) {
        if (topics.get(workspace) !== feed.topic) yield* stop(workspace)
      }
      for (const [workspace, topic] of topics) {
        if (!running.has(workspace)) yield* start(workspace, topic)
      }
    })

    const measure = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      for (const [workspace, one] of running) {
        const newest = yield* newestSequence(catalog, workspace)
        one.lagEntries = Math.max(0, (newest ?? 0) - (one.feed.position ?? 0))
        yield* measureLag(workspace, one.lagEntries, ageMs(one.feed, now))
      }
    })

    const refresh = Effect.gen(function* () {
      isAllowed = yield* mayDeliver
      yield* adjust(isAllowed ? yield* registry.workspaces : [])
      yield* measure
    }).pipe(
      Effect.ignoreCause({ log: "Warn", message: "the Kafka settings of workspaces could not be read" }),
    )

    yield* Effect.forkScoped(Effect.repeat(refresh, Schedule.spaced(refreshInterval)))
    return KafkaFeeds.of({
      status: Effect.map(Clock.currentTimeMillis, (now) => statusOf(isAllowed, [...running.values()], now)),
    })
  }),
)

const ageMs = ({ oldestReceivedAt }: KafkaFeed, now: number): number =>
  oldestReceivedAt === null ? 0 : Math.max(0, now - oldestReceivedAt)

const statusOf = (sending: boolean, running: ReadonlyArray<Running>, now: number): KafkaDocument => ({
  sending,
  workspaces: running.length,
  lag_entries: running.reduce((sum, { lagEntries }) => sum + lagEntries, 0),
  lag_seconds: Math.max(0, ...running.map(({ feed }) => ageMs(feed, now))) / 1000,
  failure: running.map(({ feed }) => feed.failure).find((failure) => failure !== null) ?? null,
})
