import type { Effect, Queue, Scope } from "effect"
import type { ConnectionSettings, Host } from "./ConnectionUrl.ts"
import type { DatabaseError } from "./DatabaseError.ts"
import type { Parameter } from "./parameters.ts"
import type { RowForm } from "./RowForm.ts"

/**
 * A row as an object with a property for each column. `bigint` columns are numbers. Values of other types, such as
 * `xid8`, are strings.
 */
export type NamedRow = Readonly<Record<string, unknown>>

/** A row as an array of its values in the order of the columns. */
export type IndexedRow = ReadonlyArray<unknown>

/**
 * Runs statements in the order in which they are started, each with a snapshot of its own under READ COMMITTED.
 * Statements that are started at the same time share a round trip. `$1` to `$n` in a statement stand for its
 * parameters. Arrays need a cast, for example `$1::bigint[]`.
 */
export interface Connection {
  /** The form in which statements change rows by a list of keys. */
  readonly rowForm: RowForm
  /** The id of the server's process as it was told at the start of the connection. A pooler tells one of its own. */
  readonly toldProcess: number
  /** Runs a statement and returns its rows as objects. */
  query(
    sql: string,
    parameters?: ReadonlyArray<Parameter>,
  ): Effect.Effect<ReadonlyArray<NamedRow>, DatabaseError>
  /** Runs a statement and returns its rows as arrays, which is faster for many rows. */
  queryByIndex(
    sql: string,
    parameters?: ReadonlyArray<Parameter>,
  ): Effect.Effect<ReadonlyArray<IndexedRow>, DatabaseError>
  /** Runs a statement and returns the number of rows that it inserted, updated, deleted or selected. */
  execute(sql: string, parameters?: ReadonlyArray<Parameter>): Effect.Effect<number, DatabaseError>
  /**
   * Delays a statement, so that it runs before the next statement in the same round trip. If the delayed statement
   * fails, the next statement fails with the same error. Use this method only in a transaction.
   */
  executeWithNext(sql: string, parameters?: ReadonlyArray<Parameter>): Effect.Effect<void, DatabaseError>
}

/**
 * One connection to one server. `Driver.connect` makes sessions, and a session ends when the scope of `connect` closes.
 */
export interface Session extends Connection {
  /**
   * Runs `BEGIN`, `COMMIT` or `ROLLBACK`, never as a named statement. Returns the command that the server executed,
   * which is `ROLLBACK` if the server could not commit.
   */
  control(sql: string): Effect.Effect<string, DatabaseError>
  /**
   * Sends the `COMMIT` of a transaction that has only read, without waiting for the answer. The session can be used at once,
   * because the server executes what follows afterwards.
   */
  endRead(): Effect.Effect<void>
  /** Delays `BEGIN`, so that it runs directly before the next statement, in the same round trip. */
  beginWithNext(sql: string): Effect.Effect<void, DatabaseError>
  /** Waits until the server has executed the waiting `BEGIN` and the statements that were sent with it. */
  begun(): Effect.Effect<void, DatabaseError>
  isOpen(): boolean
  /** Closes the socket at once. A statement in progress then fails with a `DatabaseError` of the kind `lost`. */
  destroy(): void
  /**
   * Subscribes to the notifications of a channel until the scope closes. The returned queue receives their payloads,
   * and fails when the connection breaks.
   */
  listen(
    channel: string,
  ): Effect.Effect<Queue.Dequeue<{ readonly payload: string }, unknown>, DatabaseError, Scope.Scope>
}

/** The interface to a PostgreSQL client library. Its only method connects to one host. */
export interface Driver {
  connect(host: Host, settings: ConnectionSettings): Effect.Effect<Session, DatabaseError, Scope.Scope>
}
