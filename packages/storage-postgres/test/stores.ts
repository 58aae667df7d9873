import type { ServerAddress } from "@inlethq/postgres-server/ServerAddress"
import { Digest } from "@inlethq/core/ports/Digest"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Effect, Layer, Scope } from "effect"
import type { Database } from "../src/engine/Database.ts"
import type { SweepOptions } from "../src/housekeeping/sweep.ts"
import { makeLeases } from "../src/nodes/Leases.ts"
import * as PostgresStore from "../src/PostgresStore.ts"
import { databaseAt, migratedDatabase } from "./server.ts"

/** A database with all tables, and connections to it. */
interface Emptied {
  readonly url: string
  readonly database: Database["Service"]
}

/**
 * The databases that no test uses at the moment, by the port of their server. They stay connected until the worker ends, because
 * connecting costs more CPU time than most tests of a store.
 */
const unused = new Map<number, Array<Emptied>>()
const worker = Scope.makeUnsafe()

/** Returns a database without rows. After the scope closes, another test may use the same database. */
const emptied = (server: ServerAddress): Effect.Effect<Emptied, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const found = unusedOn(server).pop()
      return found === undefined ? migrated(server) : Effect.as(deleteRows(found), found)
    }),
    (database) => Effect.sync(() => unusedOn(server).push(database)),
  )

const unusedOn = ({ port }: ServerAddress): Array<Emptied> => {
  const found = unused.get(port) ?? []
  unused.set(port, found)
  return found
}

const migrated = (server: ServerAddress) =>
  Effect.gen(function* () {
    const url = yield* migratedDatabase(server)
    return { url, database: yield* databaseAt(url) }
  }).pipe(Scope.provide(worker), Effect.orDie)

/** Deletes all rows of all tables, which is fifty times faster than copying a database without rows. */
const deleteRows = ({ database }: Emptied) => Effect.orDie(database.query("delete all rows", deleteSql))

const deleteSql = `
  DO $$
  DECLARE name TEXT;
  BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migrations' LOOP
      EXECUTE format('DELETE FROM %I', name);
    END LOOP;
  END $$`

/** Returns the URL of a database with all tables and no rows. After the scope closes, another test may use the same database. */
export const emptyTables = (server: ServerAddress): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(emptied(server), ({ url }) => url)

/** Connects a node to the store at a URL. */
export const nodeAt = (url: string, options: SweepOptions = {}) => nodeOn(databaseAt(url), options)

/** Nothing renews the leases of these nodes, and a busy machine may be slow. */
export const longDurations = { housekeeping: 60_000, rules: 60_000, imports: 60_000, webhooks: 60_000 }

const nodeOn = (opened: Effect.Effect<Database["Service"], never, Scope.Scope>, options: SweepOptions) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const database = yield* opened
      const leases = makeLeases(database, { durations: longDurations })
      return yield* PostgresStore.services(database, yield* Digest, { ...options, leases })
    }),
  ).pipe(Layer.provide(plainDigest))

/** Makes an empty store and connects one node to it. */
export const emptyStore = (server: () => ServerAddress, options: SweepOptions = {}) =>
  nodeOn(
    Effect.suspend(() => Effect.map(emptied(server()), ({ database }) => database)),
    options,
  )
