import type { Effect } from "effect"
import type { WaitLimits } from "./bounds.ts"
import type { Connection, NamedRow } from "./Connection.ts"
import type { DatabaseError } from "./DatabaseError.ts"
import { planSettings } from "./planSettings.ts"
import type { CommitMark } from "./WriterSlots.ts"

/*
 * The statements around the body of a transaction. Every setting is local to its transaction, so any pooler may run the next
 * transaction on another connection.
 */

export const beginWrite = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"

/** One snapshot for all statements of the transaction. */
export const beginRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

/**
 * Marks the transaction and sets its limits, in one round trip. `statement_timeout` stays off, because it would also end the wait
 * for a synchronous standby during COMMIT, after which PostgreSQL reports success without the standby.
 */
export const startWrite = (
  connection: Connection,
  { idleMsMax, lockMsMax }: WaitLimits,
  { number, workspace, writer }: CommitMark,
) => connection.execute(startWriteSql, [workspace, writer, number, String(lockMsMax), String(idleMsMax)])

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

/** Sets the limits of a transaction that only reads. */
export const startRead = (connection: Connection, { idleMsMax, readStatementMsMax }: WaitLimits) =>
  connection.execute(startReadSql, [String(readStatementMsMax), String(idleMsMax)])

const startReadSql = `
  SELECT set_config('statement_timeout', $1, true),
    set_config('idle_in_transaction_session_timeout', $2, true),
    ${planSettings}
`

/**
 * Reads the number of a writer's last committed transaction. Waits while a transaction of the writer is still running, because it holds
 * the lock on the row. Writes the row, so that the COMMIT after this statement also waits for everything committed before it.
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

/** Sets the limits of the transaction that finds out about another one. */
export const startProbe = (connection: Connection, { idleMsMax, lockMsMax }: WaitLimits) =>
  connection.execute(startProbeSql, [String(lockMsMax), String(idleMsMax)])

const startProbeSql = `
  SELECT set_config('lock_timeout', $1, true),
    set_config('idle_in_transaction_session_timeout', $2, true),
    set_config('statement_timeout', '0', true)
`
