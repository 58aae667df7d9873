import { Registry } from "@inlet/core/ports/Registry"
import type { StoreUnavailable } from "@inlet/core/ports/Store"
import { Context, Effect, Layer, type Redacted } from "effect"
import type { ConnectionSettings } from "./engine/ConnectionUrl.ts"
import { Installation, openInstallation } from "./installation/Installation.ts"
import { Leases, makeLeases } from "./Leases.ts"
import { openDatabase, type DatabaseOpenError } from "./openDatabase.ts"
import { makeRegistry } from "./registry.ts"

export interface PostgresStoreOptions {
  readonly connection: ConnectionSettings
  /** The operator's secret, the same on every node. It wraps the key of suppression digests. */
  readonly secret: Redacted.Redacted
}

export type OpenError = DatabaseOpenError | StoreUnavailable

/** Connects to a database that any number of nodes share, and migrates it to the newest format. */
export const layer = (
  options: PostgresStoreOptions,
): Layer.Layer<Registry | Installation | Leases, OpenError> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const database = yield* openDatabase(options.connection)
      const installation = yield* openInstallation(database, options.secret)
      return Context.make(Registry, makeRegistry(database)).pipe(
        Context.add(Installation, installation),
        Context.add(Leases, makeLeases(database)),
      )
    }),
  )
