import { Context, Effect } from "effect"

/**
 * Whether this node sends to webhooks and to Kafka. With several nodes on one database, only the holder of a lease does.
 */
export const MayDeliver = Context.Reference<Effect.Effect<boolean>>("@inlet/server/MayDeliver", {
  defaultValue: () => Effect.succeed(true),
})
