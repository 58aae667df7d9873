import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Context, Effect, Option, type Scope } from "effect"
import { UnknownOutcome, withAttempts, type OwnErrors } from "./attempts.ts"
import { nodeWaitLimits, snapshotIdleMsMax, type WaitLimits } from "./bounds.ts"
import { findOutcome } from "./commitOutcome.ts"
import type { Connection, Driver, NamedRow } from "./Connection.ts"
import { ConnectionPool } from "./ConnectionPool.ts"
import { connectToPrimary } from "./connectToPrimary.ts"
import type { ConnectionSettings } from "./ConnectionUrl.ts"
import { DatabaseError } from "./DatabaseError.ts"
import { listenForever } from "./listenForever.ts"
import { countBrokenCommit, measureTransaction } from "./metrics.ts"
import type { Parameter } from "./parameters.ts"
import { readTransaction, writeTransaction, type TransactionBody } from "./transactions.ts"
import { startRead } from "./transactionStatements.ts"
import { WriterSlots, type CommitMark } from "./WriterSlots.ts"

/** The workspace id to pass to `write` for rows that belong to the whole installation instead of one workspace. */
export const installation = 0

/**
 * Runs transactions on the first host of the URL that accepts writes. Every call ends within `transactionMsMax`. A
 * temporary failure becomes `StoreUnavailable`. A statement that PostgreSQL rejects is a bug and dies as a defect.
 */
export class Database extends Context.Service<
  Database,
  {
    /**
     * Runs `body` in one durable READ COMMITTED transaction that writes rows of one workspace. Success means that the
     * transaction was committed exactly once. After a conflict or a lost connection, `body` runs again from the start
     * in a new transaction, so its effects outside of the database must be harmless. If `body` fails with an error of
     * its own, nothing is committed. If the connection breaks during COMMIT, another connection finds out whether the
     * transaction was committed. If that takes too long, the call fails with `StoreUnavailable`, and the transaction
     * may or may not be committed. `operation` completes the sentence "the store cannot … now". `workspace` is
     * `installation` for rows that belong to no workspace.
     */
    write<A, E>(
      operation: string,
      workspace: number,
      body: TransactionBody<A, E>,
    ): Effect.Effect<A, OwnErrors<E> | StoreUnavailable>
    /**
     * Runs `body` on one snapshot, read-only. After a lost connection, `body` runs again from the start on a new
     * snapshot.
     */
    read<A, E>(
      operation: string,
      body: TransactionBody<A, E>,
    ): Effect.Effect<A, OwnErrors<E> | StoreUnavailable>
    /**
     * Opens a separate connection on which all reads see one snapshot. The connection closes with the scope, and breaks
     * after `msMax` milliseconds.
     */
    snapshot(operation: string, msMax: number): Effect.Effect<Connection, StoreUnavailable, Scope.Scope>
    /**
     * Runs one read-only statement in one round trip. After a lost connection, the statement runs again. Statements
     * that write must use `write` instead: `query` sets no limit on waiting for locks, and cannot find out whether a
     * statement was committed if its connection broke.
     */
    query(
      operation: string,
      sql: string,
      parameters?: ReadonlyArray<Parameter>,
    ): Effect.Effect<ReadonlyArray<NamedRow>, StoreUnavailable>
    /**
     * Calls `onHint` with the payload of each notification of a channel until the scope closes, and with null after
     * each connect. Notifications can get lost, and most connection poolers do not deliver notifications, so readers
     * must also poll.
     */
    listen(
      channel: string,
      onHint: (payload: string | null) => Effect.Effect<void>,
    ): Effect.Effect<void, never, Scope.Scope>
    /** Notifies the listeners of a channel. Call this after a commit, because NOTIFY inside a transaction serializes all commits. */
    notify(channel: string, payload: string): Effect.Effect<void, StoreUnavailable>
  }
>()("@inlethq/storage-postgres/engine/Database") {
  /** Makes a database that connects when it is first used, and disconnects when the scope closes. */
  static readonly make = (
    driver: Driver,
    settings: ConnectionSettings,
    limits: WaitLimits = nodeWaitLimits,
  ): Effect.Effect<Database["Service"], never, Scope.Scope> =>
    Effect.map(ConnectionPool.make(driver, settings), (pool) => {
      const slots = new WriterSlots()
      const query: Database["Service"]["query"] = (operation, sql, parameters) =>
        withAttempts(operation, limits, (startedAt) =>
          pool.use(startedAt + limits.transactionMsMax, (session) => session.query(sql, parameters)),
        )
      return Database.of({
        write: (operation, workspace, body) =>
          withAttempts(operation, limits, (startedAt) =>
            writeOnce(pool, slots, limits, workspace, startedAt, body),
          ).pipe(Effect.withSpan("PostgreSQL.write", spanOf({ operation, workspace }))),
        read: (operation, body) =>
          withAttempts(operation, limits, (startedAt) =>
            pool.use(startedAt + limits.transactionMsMax, (session) =>
              measureTransaction("read", readTransaction(session, limits, body)),
            ),
          ).pipe(Effect.withSpan("PostgreSQL.read", spanOf({ operation }))),
        snapshot: (operation, msMax) =>
          Effect.mapError(
            openSnapshot(driver, settings, limits, msMax),
            (cause) => new StoreUnavailable({ operation, cause }),
          ),
        query,
        listen: (channel, onHint) => listenForever(driver, settings, channel, onHint),
        notify: (channel, payload) =>
          Effect.asVoid(query("notify other nodes", "SELECT pg_notify($1, $2)", [channel, payload])),
      })
    })
}

/** A stack trace of each span would cost more than the span. */
const spanOf = (attributes: Readonly<Record<string, string | number>>) => ({
  attributes,
  captureStackTrace: false,
})

const openSnapshot = (
  driver: Driver,
  settings: ConnectionSettings,
  limits: WaitLimits,
  msMax: number,
): Effect.Effect<Connection, DatabaseError, Scope.Scope> =>
  Effect.gen(function* () {
    const { session } = yield* connectToPrimary(driver, settings, settings.hosts)
    yield* Effect.forkScoped(
      Effect.andThen(
        Effect.sleep(msMax),
        Effect.sync(() => session.destroy()),
      ),
    )
    yield* startRead(session, { ...limits, idleMsMax: snapshotIdleMsMax })
    // The first statement takes the snapshot, so wait until the server has executed this statement.
    yield* session.begun()
    return session
  })

const writeOnce = <A, E>(
  pool: ConnectionPool,
  slots: WriterSlots,
  limits: WaitLimits,
  workspace: number,
  startedAt: number,
  body: TransactionBody<A, E>,
): Effect.Effect<A, E | DatabaseError | UnknownOutcome> =>
  Effect.gen(function* () {
    const mark = slots.take(workspace)
    const { isConfirmed, result } = yield* pool
      .use(startedAt + limits.commitMsMax, (session) =>
        measureTransaction("write", writeTransaction(session, mark, startedAt, limits, body)),
      )
      .pipe(Effect.tapError((failure) => releaseAfter(slots, mark, failure)))
    if (isConfirmed) {
      slots.release(mark)
      return result
    }
    const outcome = yield* findOutcome(pool, limits, startedAt + limits.transactionMsMax, mark)
    yield* countBrokenCommit(Option.getOrElse(outcome, () => "unknown"))
    if (Option.isNone(outcome)) return yield* new UnknownOutcome()
    slots.release(mark)
    if (outcome.value === "committed") return result
    return yield* new DatabaseError({
      kind: "lost",
      sqlState: null,
      problem: "the connection broke during COMMIT and the transaction was rolled back",
    })
  })

/**
 * Frees the writer of a transaction that has ended. After a lost connection, the transaction may still run on the server
 * and lock the writer's row, so its writer is not used again.
 */
const releaseAfter = (slots: WriterSlots, mark: CommitMark, failure: unknown): Effect.Effect<void> =>
  Effect.sync(() => {
    if (!(failure instanceof DatabaseError && failure.kind === "lost")) slots.release(mark)
  })
