import { CutProxy } from "@inlethq/postgres-server/CutProxy"
import { ServerAddress } from "@inlethq/postgres-server/ServerAddress"
import type { Comparison } from "@inlethq/store-conformance/differential/differential"
import { Effect, Result, type Scope } from "effect"
import { describe, inject } from "vitest"
import { connectToPrimary } from "../src/engine/connectToPrimary.ts"
import type { Session } from "../src/engine/Connection.ts"
import { parseConnectionUrl, type ConnectionSettings } from "../src/engine/ConnectionUrl.ts"
import { nodeWaitLimits, type WaitLimits } from "../src/engine/bounds.ts"
import { Database } from "../src/engine/Database.ts"
import type { DatabaseError } from "../src/engine/DatabaseError.ts"
import { sqlPgDriver } from "../src/engine/sqlPgDriver.ts"
import type { Beside } from "../src/migrations/buildIndex.ts"
import { migrate } from "../src/migrations/migrate.ts"

const servers = inject("servers")

/** Runs tests concurrently against each installed version of PostgreSQL. All test files share one server for each version. */
export const describeServers = (name: string, tests: (server: () => ServerAddress) => void): void => {
  for (const server of servers) describeServer(server, name, tests)
}

/** Runs tests against the newest installed version of PostgreSQL. */
export const describeNewestServer = (name: string, tests: (server: () => ServerAddress) => void): void => {
  const [newest] = servers.toSorted((a, b) => b.version - a.version)
  if (newest !== undefined) describeServer(newest, name, tests)
}

const describeServer = (
  { port, version }: (typeof servers)[number],
  name: string,
  tests: (server: () => ServerAddress) => void,
): void => {
  const server = new ServerAddress(version, port)
  describe.concurrent(`${name} on PostgreSQL ${version}`, () => tests(() => server))
}

/**
 * Returns the part of a random comparison that one version of PostgreSQL runs. The versions share its scripts, each from a seed
 * of its own.
 */
export const partOn = (server: () => ServerAddress, { replay, runs, seed }: Comparison): Comparison => ({
  runs: Math.ceil(runs / servers.length),
  seed: `${seed} ${server().version}`,
  replay,
})

/** Parses a connection URL. Throws if the URL is invalid. */
export const settingsOf = (url: string): ConnectionSettings => Result.getOrThrow(parseConnectionUrl(url))

/** Creates an empty database and returns its URL. */
export const emptyDatabase = (server: ServerAddress): Effect.Effect<string> =>
  Effect.promise(async () => server.url(await server.createDatabase()))

/** Opens a session to the server that a URL names. */
export const sessionTo = (url: string): Effect.Effect<Session, DatabaseError, Scope.Scope> => {
  const settings = settingsOf(url)
  return Effect.map(
    connectToPrimary(sqlPgDriver(undefined), settings, settings.hosts),
    ({ session }) => session,
  )
}

/** What a migration of the database at a URL needs beside its session. */
export const besideOn = (url: string, tell: Beside["tell"] = () => Effect.void): Beside => ({
  connect: sessionTo(url),
  tell,
})

/**
 * Creates a database with all tables and returns its URL. If the server has a template database, copies the template,
 * which is faster than running the migrations.
 */
export const migratedDatabase = (server: ServerAddress) =>
  Effect.gen(function* () {
    const template = servers.find(({ port }) => port === server.port)?.template
    if (template !== undefined) {
      return server.url(yield* Effect.promise(() => server.createDatabase(`TEMPLATE ${template}`)))
    }
    const url = yield* emptyDatabase(server)
    yield* Effect.scoped(Effect.flatMap(sessionTo(url), (session) => migrate(session, besideOn(url))))
    return url
  })

/** Limits for tests. A busy machine stays within these limits, and only a database that never responds exceeds them. */
export const patientLimits: WaitLimits = {
  transactionMsMax: 300_000,
  commitMsMax: 290_000,
  attemptsMsMax: 280_000,
  attemptsMax: 10_000,
  lockMsMax: 60_000,
  readStatementMsMax: 280_000,
  idleMsMax: 280_000,
}

/** Opens the database at a URL with the limits of a production node. */
export const nodeDatabaseAt = (url: string): Effect.Effect<Database["Service"], never, Scope.Scope> =>
  Database.make(sqlPgDriver(undefined), settingsOf(url), nodeWaitLimits)

/**
 * Opens the database at a URL. The default for each missing limit is so long that a busy machine does not exceed it.
 */
export const databaseAt = (
  url: string,
  limits: Partial<WaitLimits> = {},
): Effect.Effect<Database["Service"], never, Scope.Scope> =>
  Database.make(sqlPgDriver(undefined), settingsOf(url), { ...patientLimits, ...limits })

/** Starts a proxy in front of a server. The proxy stops when the scope closes. */
export const proxyTo = (server: ServerAddress): Effect.Effect<CutProxy, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => CutProxy.start(server.port)),
    (proxy) => Effect.promise(() => proxy.close()),
  )

/** Returns a connection URL with another port. */
export const throughPort = (url: string, port: number): string => url.replace(/:\d+\//, `:${port}/`)
