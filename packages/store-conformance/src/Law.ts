import { Effect, Equal, Formatter, Schema } from "effect"
import type { Catalog } from "@inlet/core/catalog/Catalog"
import type { Snapshots } from "@inlet/core/catalog/Snapshots"
import type { LastWorkspace, Registry, TooManyWorkspaces } from "@inlet/core/ports/Registry"
import type { Store, StoreUnavailable, WorkspaceDeleted } from "@inlet/core/ports/Store"

/** The error for a store that violates a law, a property that every store must have. */
export class LawBroken extends Schema.TaggedError<LawBroken>()("LawBroken", {
  what: Schema.String,
  expected: Schema.Unknown,
  actual: Schema.Unknown,
}) {
  override get message() {
    return `${this.what}: expected ${Formatter.format(this.expected)}, got ${Formatter.format(this.actual)}`
  }
}

/** A property that every store must have. The check runs on an empty store. */
export interface Law<R = Store | Catalog | Snapshots | Registry, E = never> {
  readonly name: string
  readonly check: Effect.Effect<
    void,
    LawBroken | StoreUnavailable | WorkspaceDeleted | TooManyWorkspaces | LastWorkspace | E,
    R
  >
}

/** Fails if the two values differ. */
export const expectSame = <A>(what: string, actual: A, expected: A): Effect.Effect<void, LawBroken> =>
  Equal.equals(actual, expected) ? Effect.void : Effect.fail(new LawBroken({ what, expected, actual }))
