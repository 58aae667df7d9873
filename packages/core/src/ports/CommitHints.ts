import { Context, type Effect, type Scope } from "effect"

/**
 * Runs an effect after each hint that another process may have committed to the store, until the scope closes. Hints
 * can be lost, so readers must also poll. The default is null, for a store that gives no hints.
 */
export const CommitHints = Context.Reference<
  ((onHint: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>) | null
>("@inlet/core/ports/CommitHints", { defaultValue: () => null })
