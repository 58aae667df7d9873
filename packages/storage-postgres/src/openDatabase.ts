import { Clock, Effect, Exit, Result, type Scope } from "effect"
import { retryAwayMs } from "./engine/bounds.ts"
import { driverFor } from "./engine/connectWith.ts"
import { connectToPrimary } from "./engine/connectToPrimary.ts"
import type { Driver, Session } from "./engine/Connection.ts"
import type { ConnectionSettings } from "./engine/ConnectionUrl.ts"
import { Database } from "./engine/Database.ts"
import { DatabaseError } from "./engine/DatabaseError.ts"
import { UnusableServer } from "./engine/openErrors.ts"
import { postgresTexts } from "./engine/postgresTexts.ts"
import { checkConnections, checkPooler, checkRights, checkServer } from "./engine/startChecks.ts"
import {
  afterDistribution,
  migrate,
  planMigrations,
  type MigrationError,
  type MigrationMode,
  type MigrationPlan,
} from "./migrations/migrate.ts"
import {
  distribute,
  distributeNewTables,
  planDistribution,
  type DistributionPlan,
} from "./migrations/distribute.ts"
import { released } from "./migrations/released.ts"
import { hasCopyTable } from "./tables/copyTable.ts"

/** The pause in milliseconds between two checks that a server which checks or migrates a database still answers. */
const answerCheckMs = 15_000

/** A server that leaves this many checks unanswered is given up. Until then a migration may take any time. */
const unansweredMax = 4

/** The pause in milliseconds between two lines of the log about a migration. */
const toldMs = 10_000

export type DatabaseOpenError = UnusableServer | MigrationError

export interface OpenOptions {
  /** True if the database may be opened although a copy of data into it was started and has not finished. */
  readonly isCopyTarget?: boolean
  /** Whether missing migrations run; on by default. */
  readonly migrations?: MigrationMode
  /** Hears what a migration does and how far it is. */
  readonly migrating?: (doing: string) => Effect.Effect<void>
}

/**
 * Connects to a database, checks the server, and migrates the tables to the newest format. If the database cannot be
 * reached, waits for the database, up to `startMsMax`. Fails at once if an operator has to correct the settings or the
 * server.
 */
export const openDatabase = (
  settings: ConnectionSettings,
  options: OpenOptions = {},
): Effect.Effect<Database["Service"], DatabaseOpenError, Scope.Scope> =>
  Effect.gen(function* () {
    const driver = yield* driverFor(settings)
    yield* prepared(driver, settings, prepare(settings, options))
    return yield* Database.make(driver, settings)
  })

/** Migrates the tables of a database to the newest format. */
export const migrateDatabase = (
  settings: ConnectionSettings,
  mode: MigrationMode,
): Effect.Effect<void, DatabaseOpenError> =>
  Effect.flatMap(driverFor(settings), (driver) =>
    prepared(driver, settings, prepare(settings, { migrations: mode })),
  )

/** Returns the migrations that a database lacks, and changes nothing. */
export const planOf = (settings: ConnectionSettings): Effect.Effect<MigrationPlan, DatabaseOpenError> =>
  Effect.flatMap(driverFor(settings), (driver) =>
    prepared(driver, settings, (session) => Effect.andThen(checkServer(session), planMigrations(session))),
  )

/** Distributes the tables of a migrated database with Citus, or only returns which are not distributed yet. */
export const distributeDatabase = (
  settings: ConnectionSettings,
  isPlan: boolean,
): Effect.Effect<DistributionPlan, DatabaseOpenError> =>
  Effect.flatMap(driverFor(settings), (driver) =>
    prepared(driver, settings, (session, connect) =>
      Effect.andThen(
        prepare(settings, { migrations: "off" })(session, connect),
        isPlan
          ? planDistribution(session)
          : Effect.scoped(Effect.flatMap(connect, (holder) => distribute(session, holder))),
      ),
    ),
  )

/** Opens another session to the server that accepts writes. */
type Connect = Effect.Effect<Session, DatabaseError, Scope.Scope>

type Work<A> = (session: Session, connect: Connect) => Effect.Effect<A, DatabaseOpenError | DatabaseError>

/** Connects and runs `work`. Waits for a database that cannot be reached, up to `startMsMax`. */
const prepared = <A>(
  driver: Driver,
  settings: ConnectionSettings,
  work: Work<A>,
): Effect.Effect<A, DatabaseOpenError> =>
  Effect.gen(function* () {
    let startedAt = yield* Clock.currentTimeMillis
    for (;;) {
      let workedFrom = Infinity
      const began = Effect.map(Clock.currentTimeMillis, (at) => {
        workedFrom = at
      })
      const result = yield* Effect.result(
        onSession(driver, settings, (session, connect) => Effect.andThen(began, work(session, connect))),
      )
      if (Result.isSuccess(result)) return result.success
      const { failure } = result
      if (!(failure instanceof DatabaseError)) return yield* Effect.fail(failure)
      if (failure.kind === "defect") return yield* Effect.die(failure)
      if (failure.kind === "refused" || failure.kind === "untrusted") return yield* refusal(failure, settings)
      const now = yield* Clock.currentTimeMillis
      // It was there for a long time, for a migration, so the wait for it begins anew.
      if (failure.kind === "lost" && now - workedFrom >= settings.startMsMax) startedAt = now
      else if (now - startedAt >= settings.startMsMax) {
        return yield* away(failure, settings)
      }
      yield* Effect.sleep(retryAwayMs)
    }
  })

const onSession = <A>(
  driver: Driver,
  settings: ConnectionSettings,
  work: Work<A>,
): Effect.Effect<A, DatabaseOpenError | DatabaseError> =>
  Effect.gen(function* () {
    const connect = Effect.map(connectToPrimary(driver, settings, settings.hosts), ({ session }) => session)
    const session = yield* connect
    yield* Effect.forkScoped(destroyUnanswering(session, connect))
    return yield* work(session, connect)
  }).pipe(Effect.scoped)

/** Closes a session whose server leaves several checks unanswered, each on a connection of its own. */
const destroyUnanswering = Effect.fnUntraced(function* (session: Session, connect: Connect) {
  for (let unanswered = 0; unanswered < unansweredMax;) {
    yield* Effect.sleep(answerCheckMs)
    const asked = Effect.scoped(Effect.flatMap(connect, (other) => other.query("SELECT 1")))
    const answer = yield* Effect.exit(Effect.timeout(asked, answerCheckMs))
    unanswered = Exit.isSuccess(answer) ? 0 : unanswered + 1
  }
  yield* destroy(session)
})

const prepare =
  (
    { poolSize, prepare: namesStatements, user }: ConnectionSettings,
    { isCopyTarget = false, migrating = () => Effect.void, migrations = "on" }: OpenOptions,
  ): Work<void> =>
  (session, connect) =>
    Effect.gen(function* () {
      yield* checkServer(session)
      yield* afterDistribution(session)
      if (!isCopyTarget && (yield* hasCopyTable(session))) {
        return yield* new UnusableServer({ problem: postgresTexts.unfinishedCopy() })
      }
      const tell = yield* logging(migrating)
      yield* migrate(session, { connect, tell }, released, migrations)
      yield* distributeNewTables(session)
      yield* checkRights(session, user)
      yield* checkConnections(session, poolSize)
      yield* checkPooler(session, namesStatements)
    })

/** Logs what a migration does: each new step, and how far it is from time to time. */
const logging = (migrating: (doing: string) => Effect.Effect<void>) =>
  Effect.sync(() => {
    let saidAt = -Infinity
    return Effect.fnUntraced(function* (doing: string) {
      const now = yield* Clock.currentTimeMillis
      if (now - saidAt >= toldMs) {
        saidAt = now
        yield* Effect.logInfo(doing)
      }
      yield* migrating(doing)
    })
  })

const destroy = (session: Session): Effect.Effect<void> => Effect.sync(() => session.destroy())

const invalidCatalogName = "3D000"
const insufficientPrivilege = "42501"

const refusal = (
  { kind, problem, sqlState }: DatabaseError,
  { database, user }: ConnectionSettings,
): UnusableServer => {
  if (sqlState === invalidCatalogName) {
    return new UnusableServer({ problem: postgresTexts.missingDatabase({ database }) })
  }
  if (sqlState === insufficientPrivilege) {
    return new UnusableServer({ problem: postgresTexts.missingRights({ user, problem }) })
  }
  if (kind === "untrusted") {
    return new UnusableServer({ problem: postgresTexts.untrusted({ problem }) })
  }
  return new UnusableServer({ problem: postgresTexts.signIn({ user, problem }) })
}

const away = ({ problem }: DatabaseError, { hosts, startMsMax }: ConnectionSettings): UnusableServer =>
  new UnusableServer({
    problem: postgresTexts.away({
      hosts: hosts.map(({ name, port }) => `${name}:${port}`).join(", "),
      seconds: startMsMax / 1000,
      problem,
    }),
  })
