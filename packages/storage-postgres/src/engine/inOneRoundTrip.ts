import { Effect, Result } from "effect"
import type { DatabaseError } from "./DatabaseError.ts"

type Statement<A> = Effect.Effect<A, DatabaseError>

/**
 * Starts statements of one session at the same time, so that they share a round trip, and returns all results. Fails
 * with the first failure. After a failure, the server refuses the statements that follow. The session can be used again
 * only after these refusals, so the function waits for them.
 */
export const inOneRoundTrip = <A, B>(
  before: ReadonlyArray<Statement<A>>,
  last: Statement<B>,
): Effect.Effect<readonly [ReadonlyArray<A>, B], DatabaseError> =>
  Effect.gen(function* () {
    const all = Effect.all(before.map(Effect.result), { concurrency: "unbounded" })
    const [results, lastResult] = yield* Effect.all([all, Effect.result(last)], { concurrency: "unbounded" })
    const values: Array<A> = []
    for (const result of results) {
      if (Result.isFailure(result)) return yield* result.failure
      values.push(result.success)
    }
    return [values, yield* Effect.fromResult(lastResult)] as const
  })
