import { Clock, Effect, Result, type Scope } from "effect"
import { retryAwayMs } from "./engine/bounds.ts"
import { driverFor } from "./engine/connectWith.ts"
import { connectToPrimary } from "./engine/connectToPrimary.ts"
import type { Driver, Session } from "./engine/Connection.ts"
import type { ConnectionSettings } from "./engine/ConnectionUrl.ts"
import { Database } from "./engine/Database.ts"
import { DatabaseError } from "./engine/DatabaseError.ts"
import { UnusableServer } from "./engine/openErrors.ts"
import { postgresTexts } from "./engine/postgresTexts.ts"
import { checkRights, checkServer } from "./engine/startChecks.ts"
import {
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

/**
 * The longest time in milliseconds for checking and migrating a database. Nodes that start at the same time wait for
 * the node that migrates.
 */
const preparationMsMax = 10 * 60_000

export type DatabaseOpenError = UnusableServer | MigrationError

export interface OpenOptions {
  /** True if the database may be opened although a copy of data into it was started and has not finished. */
  readonly isCopyTarget?: boolean
  /** Whether missing migrations run; on by default. */
  readonly migrations?: MigrationMode
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
    prepared(driver, settings, (session) =>
      Effect.andThen(
        prepare(settings, { migrations: "off" })(session),
        isPlan ? planDistribution(session) : distribute(session),
      ),
    ),
  )

/** Connects and runs `work`. Waits for a database that cannot be reached, up to `startMsMax`. */
const prepared = <A>(
  driver: Driver,
  settings: ConnectionSettings,
  work: (session: Session) => Effect.Effect<A, DatabaseOpenError | DatabaseError>,
): Effect.Effect<A, DatabaseOpenError> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    for (;;) {
      const result = yield* Effect.result(onSession(driver, settings, work))
      if (Result.isSuccess(result)) return result.success
      const { failure } = result
      if (!(failure instanceof DatabaseError)) return yield* Effect.fail(failure)
      if (failure.kind === "defect") return yield* Effect.die(failure)
      if (failure.kind === "refused" || failure.kind === "untrusted") return yield* refusal(failure, settings)
      if ((yield* Clock.currentTimeMillis) - startedAt >= settings.startMsMax) {
        return yield* away(failure, settings)
      }
      yield* Effect.sleep(retryAwayMs)
    }
  })

const onSession = <A>(
  driver: Driver,
  settings: ConnectionSettings,
  work: (session: Session) => Effect.Effect<A, DatabaseOpenError | DatabaseError>,
): Effect.Effect<A, DatabaseOpenError | DatabaseError> =>
  Effect.gen(function* () {
    const { session } = yield* connectToPrimary(driver, settings, settings.hosts)
    yield* Effect.forkScoped(Effect.andThen(Effect.sleep(preparationMsMax), destroy(session)))
    return yield* work(session)
  }).pipe(Effect.scoped)

const prepare =
  ({ user }: ConnectionSettings, { isCopyTarget = false, migrations = "on" }: OpenOptions) =>
  (session: Session): Effect.Effect<void, DatabaseOpenError | DatabaseError> =>
    Effect.gen(function* () {
      yield* checkServer(session)
      if (!isCopyTarget && (yield* hasCopyTable(session))) {
        return yield* new UnusableServer({ problem: postgresTexts.unfinishedCopy() })
      }
      yield* migrate(session, released, migrations)
      yield* distributeNewTables(session)
      yield* checkRights(session, user)
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
