import { Schema } from "effect"

/**
 * The kinds of failure of a statement, and what the caller can do:
 * - `conflict`: a concurrent transaction committed first. The same work may succeed if it starts again.
 * - `lost`: the connection broke, could not be made, or the server is starting or stopping.
 * - `readOnly`: the server is a standby or accepts no writes. Another host may accept them.
 * - `exhausted`: the server reached a limit of its disk, memory, connections, or time for one statement.
 * - `refused`: the server refused the credentials, the database or the rights. The failure lasts until an operator
 * acts.
 * - `untrusted`: the server's certificate is not trusted. The failure lasts until an operator acts.
 * - `defect`: PostgreSQL rejects the statement, which is a bug of Inlet.
 */
const FailureKind = Schema.Literals([
  "conflict",
  "lost",
  "readOnly",
  "exhausted",
  "refused",
  "untrusted",
  "defect",
])
export type FailureKind = typeof FailureKind.Type

/** The failure of a statement or of a connection attempt. The message contains no parameter and no password. */
export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", {
  kind: FailureKind,
  /** The SQLSTATE that the server reported. The value is null if the failure did not come from the server. */
  sqlState: Schema.NullOr(Schema.String),
  problem: Schema.String,
}) {
  override get message() {
    return this.sqlState === null ? this.problem : `${this.problem} (SQLSTATE ${this.sqlState})`
  }
}

/** Returns the kind of failure that an SQLSTATE stands for. */
export const kindOfSqlState = (sqlState: string): FailureKind =>
  kinds.get(sqlState) ?? classes.get(sqlState.slice(0, 2)) ?? "defect"

const kinds: ReadonlyMap<string, FailureKind> = new Map([
  ["23505", "conflict"], // unique_violation
  ["40001", "conflict"], // serialization_failure
  ["40P01", "conflict"], // deadlock_detected
  ["55P03", "conflict"], // lock_not_available
  ["0A000", "conflict"], // a prepared statement's columns changed with a migration
  ["26000", "conflict"], // a prepared statement was dropped
  ["25006", "readOnly"], // read_only_sql_transaction
  ["25P03", "lost"], // idle_in_transaction_session_timeout
  ["53300", "lost"], // too_many_connections
  ["57014", "exhausted"], // query_canceled
  ["57P01", "lost"], // admin_shutdown
  ["57P02", "lost"], // crash_shutdown
  ["57P03", "lost"], // cannot_connect_now
  ["57P05", "lost"], // idle_session_timeout
  ["3D000", "refused"], // invalid_catalog_name
  ["42501", "refused"], // insufficient_privilege
])

const classes: ReadonlyMap<string, FailureKind> = new Map([
  ["08", "lost"], // connection_exception
  ["28", "refused"], // invalid_authorization_specification
  ["53", "exhausted"], // insufficient_resources, such as disk_full
  ["58", "exhausted"], // system_error, such as io_error
  ["XX", "exhausted"], // internal_error, such as data_corrupted
])
