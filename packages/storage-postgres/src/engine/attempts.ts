import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Clock, Effect, Random, Result, Schema } from "effect"
import { conflictPauseMsMax, reconnectMs, type WaitLimits } from "./bounds.ts"
import { DatabaseError } from "./DatabaseError.ts"
import { countRetry } from "./metrics.ts"

/** The connection broke during COMMIT, and Inlet could not find out in time whether the transaction was committed. */
export class UnknownOutcome extends Schema.TaggedError<UnknownOutcome>()("UnknownOutcome", {}) {
  override get message() {
    return "the connection broke during COMMIT and the outcome is unknown"
  }
}

/** The errors of the caller's own code. Excludes errors of the database, and commits with an unknown outcome. */
export type OwnErrors<E> = Exclude<E, DatabaseError | UnknownOutcome>

/**
 * Runs `attempt`. Runs `attempt` again after a conflict, after a lost connection, and if the server accepts no writes.
 * Makes at most `attemptsMax` attempts, all of which start within `attemptsMsMax` milliseconds. `attempt` receives the
 * start time of the first attempt. Any other failure of the server becomes `StoreUnavailable` at once. A statement that
 * PostgreSQL rejects is a bug and dies as a defect.
 */
export const withAttempts = <A, E>(
  operation: string,
  { attemptsMax, attemptsMsMax }: WaitLimits,
  attempt: (startedAt: number) => Effect.Effect<A, E>,
): Effect.Effect<A, OwnErrors<E> | StoreUnavailable> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    for (let attempts = 1; ; attempts++) {
      const result = yield* Effect.result(attempt(startedAt))
      if (Result.isSuccess(result)) return result.success
      const { failure } = result
      if (isOwn(failure)) return yield* Effect.fail(failure)
      if (!(failure instanceof DatabaseError))
        return yield* new StoreUnavailable({ operation, cause: failure })
      if (failure.kind === "defect") return yield* Effect.die(failure)
      const pause = yield* pauseAfter(failure)
      const isLate = (yield* Clock.currentTimeMillis) + pause - startedAt > attemptsMsMax
      if (!mayPass(failure) || isLate || attempts >= attemptsMax) {
        return yield* new StoreUnavailable({ operation, cause: failure })
      }
      yield* countRetry(failure)
      yield* Effect.sleep(pause)
    }
  })

const isOwn = <E>(failure: E): failure is OwnErrors<E> =>
  !(failure instanceof DatabaseError || failure instanceof UnknownOutcome)

const mayPass = ({ kind }: DatabaseError): boolean =>
  kind === "conflict" || kind === "lost" || kind === "readOnly"

/**
 * Returns the milliseconds to wait before the next attempt. After a conflict, the wait is random, so that the
 * transactions that conflicted do not start at the same time again.
 */
const pauseAfter = ({ kind }: DatabaseError): Effect.Effect<number> =>
  kind === "conflict" ? Random.nextIntBetween(0, conflictPauseMsMax) : Effect.succeed(reconnectMs)
