import { Context, Effect } from "effect"

/** Completes when the server begins to stop, which ends streams and imports. */
export const Draining = Context.Reference<Effect.Effect<void>>("@inlethq/http/management/node/Draining", {
  defaultValue: () => Effect.never,
})
