import { Effect } from "effect"
import type { WaitLimits } from "./bounds.ts"
import type { Connection, NamedRow, Session } from "./Connection.ts"
import type { DatabaseError } from "./DatabaseError.ts"
import { planSettings } from "./planSettings.ts"
import type { CommitMark } from "./WriterSlots.ts"

/*
 * The statements before and after the body of a transaction. Every setting applies to one transaction only, so a
 * connection pooler may run the next transaction on another connection.
 */

const beginWrite = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"

/** With this isolation level, all statements of the transaction read the same snapshot. */
const beginRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

/**
 * Begins a transaction, writes its mark and sets its time limits. These statements are sent together with the next
 * statement, in one round trip. `statement_timeout` stays off, because it would also end the wait for a synchronous
 * standby during COMMIT. PostgreSQL would then report success although the standby does not have the commit.
 */
export const startWrite = (
  session: Session,
  { idleMsMax, lockMsMax }: WaitLimits,
  { number, workspace, writer }: CommitMark,
): Effect.Effect<void, DatabaseError> =>
  Effect.andThen(
    session.beginWithNext(beginWrite),
    session.executeWithNext(startWriteSql, [workspace, writer, number, String(lockMsMax), String(idleMsMax)]),
  )

const startWriteSql = `
  WITH marked AS (
    INSERT INTO writers (workspace, writer, number, at) VALUES ($1, $2, $3, now())
    ON CONFLICT (workspace, writer) DO UPDATE SET number = excluded.number, at = excluded.at
  )
  SELECT set_config('lock_timeout', $4, true),
    set_config('idle_in_transaction_session_timeout', $5, true),
    set_config('statement_timeout', '0', true),
    ${planSettings}
`

/**
 * Begins a read-only transaction and sets its time limits. These statements are sent together with the next statement,
 * in one round trip.
 */
export const startRead = (
  session: Session,
  { idleMsMax, readStatementMsMax }: WaitLimits,
): Effect.Effect<void, DatabaseError> =>
  Effect.andThen(
    session.beginWithNext(beginRead),
    session.executeWithNext(startReadSql, [String(readStatementMsMax), String(idleMsMax)]),
  )

const startReadSql = `
  SELECT set_config('statement_timeout', $1, true),
    set_config('idle_in_transaction_session_timeout', $2, true),
    ${planSettings}
`

/**
 * Reads the number of the last committed transaction of a writer. Waits while one is running, because it holds the lock on
 * the writer's row. Also updates this row, so that the caller's COMMIT waits until the standbys have all earlier commits.
 */
export const lastCommitted = (
  connection: Connection,
  { workspace, writer }: CommitMark,
): Effect.Effect<ReadonlyArray<NamedRow>, DatabaseError> =>
  connection.query(lastCommittedSql, [workspace, writer])

const lastCommittedSql = `
  INSERT INTO writers (workspace, writer, number, at) VALUES ($1, $2, 0, now())
  ON CONFLICT (workspace, writer) DO UPDATE SET number = writers.number
  RETURNING number
`

/**
 * Begins a probe, which is a transaction that finds out whether another transaction was committed. Sets the time limits
 * of the probe. Its statements are sent together with the next statement, in one round trip.
 */
export const startProbe = (
  session: Session,
  { idleMsMax, lockMsMax }: WaitLimits,
): Effect.Effect<void, DatabaseError> =>
  Effect.andThen(
    session.beginWithNext(beginWrite),
    session.executeWithNext(startProbeSql, [String(lockMsMax), String(idleMsMax)]),
  )

const startProbeSql = `
  SELECT set_config('lock_timeout', $1, true),
    set_config('idle_in_transaction_session_timeout', $2, true),
    set_config('statement_timeout', '0', true)
`
