import { follow } from "@inlethq/outbound/follower/follow"
import { KafkaFeeds } from "@inlethq/outbound/KafkaFeeds"
import { Effect, Layer } from "effect"
import type { KafkaConnection } from "./KafkaConnection.ts"
import { kafkaDestination } from "./kafkaDestination.ts"
import { registerMetrics } from "./kafkaMetrics.ts"
import { KafkaSender } from "./KafkaSender.ts"

/** Starts and stops the copies to Kafka when the settings of workspaces change. */
export const layer = Layer.effect(
  KafkaFeeds,
  Effect.gen(function* () {
    yield* registerMetrics
    const { status } = yield* follow(kafkaDestination)
    return KafkaFeeds.of({
      status: Effect.map(status, ({ feeds, sending }) => ({
        sending,
        workspaces: feeds.length,
        lag_entries: feeds.reduce((sum, { lagEntries }) => sum + lagEntries, 0),
        lag_seconds: Math.max(0, ...feeds.map(({ lagMs }) => lagMs)) / 1000,
        failure: feeds.map(({ failure }) => failure).find((failure) => failure !== null) ?? null,
      })),
      feed: (workspace) =>
        Effect.map(status, ({ feeds }) => feeds.find((one) => one.workspace === workspace) ?? null),
    })
  }),
)

/** Copies activity logs to the brokers of a connection. */
export const layerWith = (connection: KafkaConnection) =>
  layer.pipe(Layer.provide(KafkaSender.layerWith(connection)))
