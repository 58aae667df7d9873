import { Context, Effect } from "effect"

/**
 * Returns true if this node sends to webhooks and to Kafka. If several nodes share a database, only the node that has a
 * lease sends.
 */
export const MayDeliver = Context.Reference<Effect.Effect<boolean>>("@inlet/outbound/MayDeliver", {
  defaultValue: () => Effect.succeed(true),
})
