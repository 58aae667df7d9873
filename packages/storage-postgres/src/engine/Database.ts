import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Context, Effect, Option, type Scope } from "effect"
import { UnknownOutcome, withAttempts, type OwnErrors } from "./attempts.ts"
import { nodeWaitLimits, type WaitLimits } from "./bounds.ts"
import { findOutcome } from "./commitOutcome.ts"
import type { Driver, NamedRow } from "./Connection.ts"
import { ConnectionPool } from "./ConnectionPool.ts"
import type { ConnectionSettings } from "./ConnectionUrl.ts"
import { DatabaseError } from "./DatabaseError.ts"
import { listenForever } from "./listenForever.ts"
import { countBrokenCommit } from "./metrics.ts"
import type { Parameter } from "./parameters.ts"
import { readTransaction, writeTransaction, type TransactionBody } from "./transactions.ts"
import { WriterSlots, type CommitMark } from "./WriterSlots.ts"

/** The number to pass as the workspace of a transaction that writes rows of the whole installation. */
export const installation = 0

/**
 * A PostgreSQL database on whichever of its hosts accepts writes. Every call ends within `transactionMsMax`. A failure that may pass
 * becomes `StoreUnavailable`; a statement that PostgreSQL rejects is a defect.
 */
export class Database extends Context.Service<
  Database,
  {
    /**
     * Runs writes of one workspace in one durable transaction, READ COMMITTED. Success means that it is committed, exactly once. On a
     * conflict or a lost connection `body` runs again from the start in a new transaction, so anything it does outside of the
     * database must be harmless. A failure with an error of `body` means that nothing was committed.
     *
     * If the connection breaks during COMMIT, another connection finds out whether the transaction was committed. If that takes too
     * long, the call fails with `StoreUnavailable`, and the transaction may have been committed.
     *
     * `operation` completes the sentence "the store cannot … now". `workspace` is `installation` for rows of no workspace.
     */
    write<A, E>(
      operation: string,
      workspace: number,
      body: TransactionBody<A, E>,
    ): Effect.Effect<A, OwnErrors<E> | StoreUnavailable>
    /** Runs reads on one snapshot. On a lost connection `body` runs again from the start on a new snapshot. */
    read<A, E>(
      operation: string,
      body: TransactionBody<A, E>,
    ): Effect.Effect<A, OwnErrors<E> | StoreUnavailable>
    /**
     * Runs one statement that reads, in one round trip. On a lost connection the statement runs again. A statement that writes belongs
     * in `write`, because here it would not know the limit of a wait for a lock, or whether it was committed.
     */
    query(
      operation: string,
      sql: string,
      parameters?: ReadonlyArray<Parameter>,
    ): Effect.Effect<ReadonlyArray<NamedRow>, StoreUnavailable>
    /**
     * Calls `onHint` with the payloads of a channel's notifications until the scope closes, and with null after each connect. Hints may
     * be lost, and poolers deliver none, so readers must poll too. Errors of `onHint` are not possible.
     */
    listen(
      channel: string,
      onHint: (payload: string | null) => Effect.Effect<void>,
    ): Effect.Effect<void, never, Scope.Scope>
    /** Notifies the listeners of a channel. Call this after a commit, because NOTIFY inside a transaction serializes all commits. */
    notify(channel: string, payload: string): Effect.Effect<void, StoreUnavailable>
  }
>()("@inlet/storage-postgres/engine/Database") {
  /** Makes a database that connects when it is used, and disconnects with the scope. */
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
          ),
        read: (operation, body) =>
          withAttempts(operation, limits, (startedAt) =>
            pool.use(startedAt + limits.transactionMsMax, (session) =>
              readTransaction(session, limits, body),
            ),
          ),
        query,
        listen: (channel, onHint) => listenForever(driver, settings, channel, onHint),
        notify: (channel, payload) =>
          Effect.asVoid(query("notify other nodes", "SELECT pg_notify($1, $2)", [channel, payload])),
      })
    })
}

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
        writeTransaction(session, mark, startedAt, limits, body),
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

/** After a lost connection the transaction may still run on the server and lock the writer's row. */
const releaseAfter = (slots: WriterSlots, mark: CommitMark, failure: unknown): Effect.Effect<void> =>
  Effect.sync(() => {
    if (!(failure instanceof DatabaseError && failure.kind === "lost")) slots.release(mark)
  })
