import type { Effect, Queue, Scope } from "effect"
import type { ConnectionSettings, Host } from "./ConnectionUrl.ts"
import type { DatabaseError } from "./DatabaseError.ts"
import type { Parameter } from "./parameters.ts"

/** A row by column name. `bigint` columns are numbers, and types that are not scalar, such as `xid8`, are texts. */
export type NamedRow = Readonly<Record<string, unknown>>

/** A row by column index. */
export type IndexedRow = ReadonlyArray<unknown>

/** Runs statements. `$1` to `$n` in a statement stand for its parameters; arrays need a cast, for example `$1::bigint[]`. */
export interface Connection {
  /** Runs a statement and returns its rows by column name. */
  query(
    sql: string,
    parameters?: ReadonlyArray<Parameter>,
  ): Effect.Effect<ReadonlyArray<NamedRow>, DatabaseError>
  /** Runs a statement and returns its rows by column index, which is faster for many rows. */
  queryByIndex(
    sql: string,
    parameters?: ReadonlyArray<Parameter>,
  ): Effect.Effect<ReadonlyArray<IndexedRow>, DatabaseError>
  /** Runs a statement and returns the number of rows that it inserted, updated, deleted or selected. */
  execute(sql: string, parameters?: ReadonlyArray<Parameter>): Effect.Effect<number, DatabaseError>
}

/** One connection to one server. Only `connect` of a driver makes sessions, and closing its scope ends them. */
export interface Session extends Connection {
  /** Runs `BEGIN`, `COMMIT` or `ROLLBACK`, never as a named statement. Returns the command that the server executed. */
  control(sql: string): Effect.Effect<string, DatabaseError>
  /** Returns whether the socket is still open. */
  isOpen(): boolean
  /** Closes the socket at once. A statement in progress fails with the kind `lost`. */
  destroy(): void
  /** Subscribes to a channel until the scope closes. The queue holds payloads, and fails when the connection breaks. */
  listen(
    channel: string,
  ): Effect.Effect<Queue.Dequeue<{ readonly payload: string }, unknown>, DatabaseError, Scope.Scope>
}

/** Connects to one host. The port to a PostgreSQL client library. */
export interface Driver {
  connect(host: Host, settings: ConnectionSettings): Effect.Effect<Session, DatabaseError, Scope.Scope>
}
