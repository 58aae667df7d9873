import { Effect, Equal, Formatter, Result, Schema } from "effect"
import type { Catalog } from "@inlethq/core/catalog/Catalog"
import type { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { TooManyTokens } from "@inlethq/core/ports/ManagementTokens"
import type { ForwardNameTaken, TooManyForwards } from "@inlethq/core/ports/ForwardStore"
import type { TooManyWebhooks } from "@inlethq/core/ports/WebhookStore"
import type { ChangedMeanwhile } from "@inlethq/core/ports/ChangedMeanwhile"
import type { LastWorkspace, Registry, TooManyKeys, TooManyWorkspaces } from "@inlethq/core/ports/Registry"
import type { Store, StoreUnavailable, WorkspaceDeleted } from "@inlethq/core/ports/Store"

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

/** How a store can refuse a change. */
type Refusal =
  | ChangedMeanwhile
  | LastWorkspace
  | TooManyKeys
  | TooManyTokens
  | TooManyWebhooks
  | TooManyForwards
  | ForwardNameTaken
  | TooManyWorkspaces

/** A property that every store must have. The check runs on an empty store. */
export interface Law<R = Store | Catalog | Snapshots | Registry> {
  readonly name: string
  readonly check: Effect.Effect<void, LawBroken | StoreUnavailable | WorkspaceDeleted | Refusal, R>
}

/** Fails if the two values differ. */
export const expectSame = <A>(what: string, actual: A, expected: A): Effect.Effect<void, LawBroken> =>
  Equal.equals(actual, expected) ? Effect.void : Effect.fail(new LawBroken({ what, expected, actual }))

/** Fails unless a call of a store is refused with such an error. */
export const expectRefused = <A, E extends { readonly _tag: string }, R>(
  tag: E["_tag"],
  call: Effect.Effect<A, E, R>,
): Effect.Effect<void, LawBroken, R> =>
  Effect.flatMap(Effect.result(call), (result) =>
    expectSame("the refusal", Result.isFailure(result) ? result.failure._tag : "none", tag),
  )
