import type { KafkaDocument } from "@inlethq/contract/server/Server"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Context, Effect, Layer } from "effect"
import type { FeedStatus } from "./follower/follow.ts"

/** Copies activity logs to Kafka, for the workspaces with a topic in their settings. The package `kafka` does it. */
export class KafkaFeeds extends Context.Service<
  KafkaFeeds,
  {
    /** Returns the state of all copies to Kafka that this node makes, or null if `INLET_KAFKA` is not set. */
    readonly status: Effect.Effect<KafkaDocument | null>
    /** Returns the state of the copy of a workspace if this node makes it, or null. */
    feed(workspace: WorkspaceId): Effect.Effect<FeedStatus | null>
  }
>()("@inlethq/outbound/KafkaFeeds") {}

/** Copies nothing. */
export const layerOff = Layer.succeed(KafkaFeeds, {
  status: Effect.succeed(null),
  feed: () => Effect.succeed(null),
})
