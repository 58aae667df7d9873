import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Effect } from "effect"
import type { Row } from "../columns/columns.ts"
import type { RowOwner, TransferTableName } from "../columns/transferTables.ts"

/*
 * The tables beside people and their log: few rows, and few calls a second. Their SQL is written once, in what SQLite and
 * PostgreSQL share: `CAST`, `CASE` and `ON CONFLICT`, but no arrays and no `greatest`. Texts that users choose are stored as
 * `toStored` returns them.
 */

export type Value = string | number | null

/** Runs statements in one transaction. `$1` to `$n` in a statement stand for its values. `E` is how a statement can fail. */
export interface Statements<E> {
  rows(sql: string, ...values: ReadonlyArray<Value>): Effect.Effect<ReadonlyArray<Row>, E>
  /** Returns the number of rows that the statement changed. */
  run(sql: string, ...values: ReadonlyArray<Value>): Effect.Effect<number, E>
  /** Runs a statement once for each list of values, in one round trip. */
  runEach(sql: string, values: ReadonlyArray<ReadonlyArray<Value>>): Effect.Effect<void, E>
  /** Adds rows to a table with few statements. Their values are the workspace and the columns in `transferTables`. */
  insert(table: TransferTableName, rows: ReadonlyArray<ReadonlyArray<Value>>): Effect.Effect<void, E>
  /** Whether a workspace was deleted. Nothing is written for such a workspace any more. */
  isDeleted(workspace: WorkspaceId): Effect.Effect<boolean, E>
  /** The largest id that a deleted workspace had; 0 if no workspace was deleted. */
  readonly lastDeleted: Effect.Effect<number, E>
  /** Records the id of a deleted workspace, so that no other workspace gets it. */
  saveLastDeleted(workspace: WorkspaceId): Effect.Effect<void, E>
  /** Waits until no other transaction adds or deletes a workspace. */
  readonly lockWorkspaces: Effect.Effect<void, E>
  readonly workspaceMax: number
  /** Ends a `SELECT`, so that nobody else changes its rows before the transaction ends. */
  readonly forUpdate: string
  /** Ends a `SELECT` in a `DELETE`, so that it skips rows that other transactions delete. */
  readonly skipLocked: string
}

/** Runs a transaction. `operation` completes the sentence "the store cannot … now". The body may run again from its start. */
type Write = <A>(
  operation: string,
  owner: RowOwner,
  body: <E>(ask: Statements<E>) => Effect.Effect<A, E>,
) => Effect.Effect<A, StoreUnavailable>

/** The access of a database to its small tables. */
export interface Tables {
  /** The largest id of a workspace. */
  readonly workspaceMax: number
  /** Runs one statement that reads. */
  read(
    operation: string,
    sql: string,
    ...values: ReadonlyArray<Value>
  ): Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  readonly write: Write
  /** Like `write`, but a power failure may undo it. A database that syncs every commit does so here too. */
  readonly writeUnsynced: Write
}
