import type { KafkaDocument } from "@inlethq/contract/server/Server"
import { Context, Effect, Layer } from "effect"
import { follow } from "../follower/follow.ts"
import { kafkaDestination } from "./kafkaDestination.ts"
import { registerMetrics } from "./kafkaMetrics.ts"

/** Copies activity logs to Kafka, for the workspaces with a topic in their settings. */
export class KafkaFeeds extends Context.Service<
  KafkaFeeds,
  {
    /** Returns the state of all copies to Kafka that this node makes, or null if `INLET_KAFKA` is not set. */
    readonly status: Effect.Effect<KafkaDocument | null>
  }
>()("@inlethq/outbound/kafka/KafkaFeeds") {}

/** Copies nothing. */
export const layerOff = Layer.succeed(KafkaFeeds, { status: Effect.succeed(null) })

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
    })
  }),
)
