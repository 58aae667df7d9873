import { Clock, Effect } from "effect"
import type { WaitLimits } from "./bounds.ts"
import type { Connection, Session } from "./Connection.ts"
import { DatabaseError } from "./DatabaseError.ts"
import { startRead, startWrite } from "./transactionStatements.ts"
import type { CommitMark } from "./WriterSlots.ts"

/** The work of a transaction. The work may fail with `DatabaseError` or with other errors. */
export type TransactionBody<A, E> = (connection: Connection) => Effect.Effect<A, E>

/** The result of a transaction, and whether the server confirmed the COMMIT. */
export interface CommitAttempt<A> {
  readonly result: A
  readonly isConfirmed: boolean
}

/**
 * Runs a writing transaction. A failure means that the transaction was not committed. If the connection breaks during
 * COMMIT, the effect succeeds with `isConfirmed: false`.
 */
export const writeTransaction = <A, E>(
  session: Session,
  mark: CommitMark,
  startedAt: number,
  limits: WaitLimits,
  body: TransactionBody<A, E>,
): Effect.Effect<CommitAttempt<A>, E | DatabaseError> =>
  Effect.gen(function* () {
    yield* startWrite(session, limits, mark)
    // The server must have the mark before COMMIT is sent. Otherwise, after a broken
    // connection, the server could receive the mark and COMMIT after another connection has looked up the outcome.
    const work = Effect.tap(body(session), session.begun())
    const result = yield* rollingBack(session, Effect.tap(work, expectInTime(startedAt, limits)))
    return { result, isConfirmed: yield* commit(session) }
  })

/** Runs a read-only transaction on one snapshot. */
export const readTransaction = <A, E>(
  session: Session,
  limits: WaitLimits,
  body: TransactionBody<A, E>,
): Effect.Effect<A, E | DatabaseError> =>
  Effect.gen(function* () {
    yield* startRead(session, limits)
    const result = yield* rollingBack(session, body(session))
    yield* session.endRead()
    return result
  })

/**
 * Fails if too little time is left for the commit. The required time includes finding out whether the commit succeeded,
 * if the connection breaks.
 */
const expectInTime = (startedAt: number, { attemptsMsMax }: WaitLimits): Effect.Effect<void, DatabaseError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now - startedAt <= attemptsMsMax
      ? Effect.void
      : Effect.fail(
          new DatabaseError({
            kind: "exhausted",
            sqlState: null,
            problem: `the transaction took longer than ${attemptsMsMax} ms`,
          }),
        ),
  )

/**
 * Sends COMMIT after the statements that still wait to be sent. Returns false if the connection broke before the server
 * confirmed the commit. The transaction may or may not be committed then.
 */
const commit = (session: Session): Effect.Effect<boolean, DatabaseError> =>
  Effect.uninterruptible(session.control("COMMIT")).pipe(
    Effect.flatMap((command) =>
      command === "COMMIT" ? Effect.succeed(true) : Effect.die(new Error(abortedText)),
    ),
    Effect.catchIf(
      ({ kind }) => kind === "lost",
      () => Effect.as(destroy(session), false),
    ),
  )

const abortedText = "a transaction continued after one of its statements had failed, so it was rolled back"

const rollingBack = <A, E>(session: Session, work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.onError(work, () =>
    Effect.asVoid(session.control("ROLLBACK")).pipe(Effect.catchTag("DatabaseError", () => destroy(session))),
  )

const destroy = (session: Session): Effect.Effect<void> => Effect.sync(() => session.destroy())
