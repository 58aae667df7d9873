import { Clock, Effect, Result, type Scope } from "effect"
import { retryAwayMs } from "./engine/bounds.ts"
import { driverFor } from "./engine/connectWith.ts"
import { connectToPrimary } from "./engine/connectToPrimary.ts"
import type { Driver, Session } from "./engine/Connection.ts"
import type { ConnectionSettings } from "./engine/ConnectionUrl.ts"
import { Database } from "./engine/Database.ts"
import { DatabaseError } from "./engine/DatabaseError.ts"
import {
  UnusableServer,
  type ForeignDatabase,
  type SchemaTooNew,
  type SchemaTooOld,
} from "./engine/openErrors.ts"
import { postgresTexts } from "./engine/postgresTexts.ts"
import { checkRights, checkServer } from "./engine/startChecks.ts"
import { migrate } from "./migrations/migrate.ts"
import { hasCopyTable } from "./tables/copyTable.ts"

/**
 * The longest time in milliseconds for checking and migrating a database. Nodes that start at the same time wait for
 * the node that migrates.
 */
const preparationMsMax = 10 * 60_000

export type DatabaseOpenError = UnusableServer | SchemaTooNew | SchemaTooOld | ForeignDatabase

export interface OpenOptions {
  /** True if the database may be opened although a copy of data into it was started and has not finished. */
  readonly isCopyTarget?: boolean
}

/**
 * Connects to a database, checks the server, and migrates the tables to the newest format. If the database cannot be
 * reached, waits for the database, up to `startMsMax`. Fails at once if an operator has to correct the settings or the
 * server.
 */
export const openDatabase = (
  settings: ConnectionSettings,
  { isCopyTarget = false }: OpenOptions = {},
): Effect.Effect<Database["Service"], DatabaseOpenError, Scope.Scope> =>
  Effect.gen(function* () {
    const driver = yield* driverFor(settings)
    yield* prepared(driver, settings, isCopyTarget)
    return yield* Database.make(driver, settings)
  })

const prepared = (
  driver: Driver,
  settings: ConnectionSettings,
  isCopyTarget: boolean,
): Effect.Effect<void, DatabaseOpenError> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    for (;;) {
      const result = yield* Effect.result(prepareOnce(driver, settings, isCopyTarget))
      if (Result.isSuccess(result)) return
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

const prepareOnce = (
  driver: Driver,
  settings: ConnectionSettings,
  isCopyTarget: boolean,
): Effect.Effect<void, DatabaseOpenError | DatabaseError> =>
  Effect.gen(function* () {
    const { session } = yield* connectToPrimary(driver, settings, settings.hosts)
    yield* Effect.forkScoped(Effect.andThen(Effect.sleep(preparationMsMax), destroy(session)))
    yield* checkServer(session)
    if (!isCopyTarget && (yield* hasCopyTable(session))) {
      return yield* new UnusableServer({ problem: postgresTexts.unfinishedCopy() })
    }
    yield* migrate(session)
    yield* checkRights(session, settings.user)
  }).pipe(Effect.scoped)

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
