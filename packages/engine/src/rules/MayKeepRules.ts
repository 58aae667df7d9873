import { Context, Effect } from "effect"

/**
 * Returns true if this node evaluates rules when only time has passed, and builds new rules. Of the nodes on one database,
 * only the holder of a lease does.
 */
export const MayKeepRules = Context.Reference<Effect.Effect<boolean>>("@inlethq/engine/rules/MayKeepRules", {
  defaultValue: () => Effect.succeed(true),
})
