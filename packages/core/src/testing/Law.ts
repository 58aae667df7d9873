import { Effect, Equal, Formatter, Schema } from "effect"
import type { Directory } from "../Directory.ts"
import type { Registry } from "../Registry.ts"
import type { Store, StoreUnavailable } from "../Store.ts"

/** A store did not keep a law. */
export class LawBroken extends Schema.TaggedError<LawBroken>()("LawBroken", {
  what: Schema.String,
  expected: Schema.Unknown,
  actual: Schema.Unknown,
}) {
  override get message() {
    return `${this.what}: expected ${Formatter.format(this.expected)}, got ${Formatter.format(this.actual)}`
  }
}

/** What every store promises, checked against the one that is provided, which has to be empty. */
export interface Law {
  readonly name: string
  readonly check: Effect.Effect<void, LawBroken | StoreUnavailable, Store | Directory | Registry>
}

/** Fails where a store gave something else. */
export const expectSame = <A>(what: string, actual: A, expected: A): Effect.Effect<void, LawBroken> =>
  Equal.equals(actual, expected) ? Effect.void : Effect.fail(new LawBroken({ what, expected, actual }))
