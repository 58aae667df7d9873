import { Context, Effect } from "effect"

/** Completes when the credentials of a request stop being valid, which ends streams. */
export const AccessEnds = Context.Reference<Effect.Effect<void>>("@inlet/http/access/AccessEnds", {
  defaultValue: () => Effect.never,
})
