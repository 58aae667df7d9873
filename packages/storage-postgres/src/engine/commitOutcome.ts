import { Clock, Effect, Option } from "effect"
import { reconnectMs, type WaitLimits } from "./bounds.ts"
import type { Session } from "./Connection.ts"
import type { ConnectionPool } from "./ConnectionPool.ts"
import type { DatabaseError } from "./DatabaseError.ts"
import { lastCommitted, startProbe } from "./transactionStatements.ts"
import type { CommitMark } from "./WriterSlots.ts"

/**
 * Finds out whether a transaction was committed after its connection broke during COMMIT. Returns an empty option if
 * the outcome is still unknown at the time `until`.
 */
export const findOutcome = (
  pool: ConnectionPool,
  limits: WaitLimits,
  until: number,
  mark: CommitMark,
): Effect.Effect<Option.Option<"committed" | "rolled back">> =>
  Effect.gen(function* () {
    for (;;) {
      const found = yield* Effect.option(pool.use(until, (session) => probe(session, limits, mark)))
      if (Option.isSome(found)) {
        return Option.some(found.value === mark.number ? "committed" : "rolled back")
      }
      if ((yield* Clock.currentTimeMillis) + reconnectMs >= until) return Option.none()
      yield* Effect.sleep(reconnectMs)
    }
  })

/** Waits until all transactions of a writer have ended. Returns the number of the last one that was committed. */
const probe = (
  session: Session,
  limits: WaitLimits,
  mark: CommitMark,
): Effect.Effect<number, DatabaseError> =>
  Effect.gen(function* () {
    yield* startProbe(session, limits)
    const [row] = yield* lastCommitted(session, mark)
    yield* session.control("COMMIT")
    return Number(row?.["number"])
  }).pipe(
    // After a failure, the session may still be inside a failed transaction, so the session is closed.
    Effect.onError(() => Effect.sync(() => session.destroy())),
  )
