import { Context, Effect } from "effect"

/** Returns true if this node sends to destinations. Of the nodes on one database, only the holder of a lease sends. */
export const MayDeliver = Context.Reference<Effect.Effect<boolean>>("@inlethq/outbound/MayDeliver", {
  defaultValue: () => Effect.succeed(true),
})
