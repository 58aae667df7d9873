import type { PostgresServer } from "@inlet/postgres-server/PostgresServer"
import { Digest } from "@inlet/core/ports/Digest"
import { plainDigest } from "@inlet/store-conformance/digest"
import { Effect, Layer } from "effect"
import type { SweepOptions } from "../src/housekeeping/sweep.ts"
import * as PostgresStore from "../src/PostgresStore.ts"
import { databaseAt, migratedDatabase } from "./server.ts"

/** For each server, the name of a database with all tables, from which others are copied. */
const templates = new WeakMap<PostgresServer, Promise<string>>()

const templateOf = (server: PostgresServer): Promise<string> => {
  const made =
    templates.get(server) ??
    Effect.runPromise(migratedDatabase(server)).then((url) => new URL(url).pathname.slice(1))
  templates.set(server, made)
  return made
}

/** Copies a database with all tables and no rows, which is faster than making them. Returns the URL of the copy. */
export const emptyTables = (server: PostgresServer): Effect.Effect<string> =>
  Effect.promise(async () => server.url(await server.createDatabase(`TEMPLATE ${await templateOf(server)}`)))

/** Connects a node to the store of a URL. */
export const nodeAt = (url: string, options: SweepOptions = {}) =>
  Layer.effectContext(
    Effect.gen(function* () {
      return PostgresStore.services(yield* databaseAt(url), yield* Digest, options)
    }),
  ).pipe(Layer.provide(plainDigest))

/** An empty store with one node. */
export const emptyStore = (server: () => PostgresServer, options: SweepOptions = {}) =>
  Layer.unwrap(
    Effect.map(
      Effect.suspend(() => emptyTables(server())),
      (url) => nodeAt(url, options),
    ),
  )
