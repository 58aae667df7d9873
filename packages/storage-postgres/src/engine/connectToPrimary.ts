import { Effect, type Scope } from "effect"
import type { Driver, Session } from "./Connection.ts"
import type { ConnectionSettings, Host } from "./ConnectionUrl.ts"
import { DatabaseError } from "./DatabaseError.ts"
import { isDistributed } from "./isDistributed.ts"

/** A PostgreSQL session, and the host that it is connected to. */
export interface PrimarySession {
  readonly session: Session
  readonly host: Host
}

/**
 * Connects to the first host that accepts writes. If no host accepts writes, fails with the error of one host. An error
 * of a standby takes precedence over an error of an unreachable host. Any other error takes precedence over both.
 */
export const connectToPrimary = (
  driver: Driver,
  settings: ConnectionSettings,
  hosts: ReadonlyArray<Host>,
): Effect.Effect<PrimarySession, DatabaseError, Scope.Scope> =>
  Effect.gen(function* () {
    let failure: DatabaseError | undefined
    for (const host of hosts) {
      const connected = yield* Effect.result(connectForWriting(driver, settings, host))
      if (connected._tag === "Success") return { session: connected.success, host }
      if (failure === undefined || rank(connected.failure) > rank(failure)) failure = connected.failure
    }
    return yield* (
      failure ?? new DatabaseError({ kind: "lost", sqlState: null, problem: "no host is configured" })
    )
  })

const writableSql = `
  SELECT current_setting('transaction_read_only') AS read_only, to_regclass('pg_dist_partition') IS NOT NULL AS has_citus`

/** Reads whether a server accepts writes, and whether the database has the extension Citus. */
export const writableState = (session: Session) =>
  Effect.map(session.query(writableSql), ([row]) => ({
    isWritable: row?.["read_only"] === "off",
    hasCitus: row?.["has_citus"] === true,
  }))

const rank = ({ kind }: DatabaseError): number => (kind === "lost" ? 0 : kind === "readOnly" ? 1 : 2)

/**
 * Connects to a host and checks that it accepts writes. Closes the connection if the check fails, because the next host
 * is tried in the same scope.
 */
const connectForWriting = (
  driver: Driver,
  settings: ConnectionSettings,
  host: Host,
): Effect.Effect<Session, DatabaseError, Scope.Scope> =>
  Effect.gen(function* () {
    const session = yield* driver.connect(host, settings)
    const isDistributed = yield* Effect.tapError(checkForWriting(session, host), () =>
      Effect.sync(() => session.destroy()),
    )
    return isDistributed ? { ...session, rowForm: "keyed" as const } : session
  })

/** Returns whether the tables are distributed. Only a server with Citus is asked that in a round trip of its own. */
const checkForWriting = (session: Session, { name, port }: Host): Effect.Effect<boolean, DatabaseError> =>
  Effect.gen(function* () {
    const { hasCitus, isWritable } = yield* writableState(session)
    if (isWritable) return hasCitus && (yield* isDistributed(session))
    const problem = `${name}:${port} is a standby or accepts no writes`
    return yield* new DatabaseError({ kind: "readOnly", sqlState: null, problem })
  })
