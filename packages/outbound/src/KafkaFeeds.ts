import type { KafkaDocument } from "@inlethq/contract/server/Server"
import { Context, Effect, Layer } from "effect"

/** Copies activity logs to Kafka, for the workspaces with a topic in their settings. The package `kafka` does it. */
export class KafkaFeeds extends Context.Service<
  KafkaFeeds,
  {
    /** Returns the state of all copies to Kafka that this node makes, or null if `INLET_KAFKA` is not set. */
    readonly status: Effect.Effect<KafkaDocument | null>
  }
>()("@inlethq/outbound/KafkaFeeds") {}

/** Copies nothing. */
export const layerOff = Layer.succeed(KafkaFeeds, { status: Effect.succeed(null) })
