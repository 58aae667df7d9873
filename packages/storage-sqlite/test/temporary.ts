import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { plainDigest } from "@inlethq/store-conformance/script/digest"
import { Effect, Layer, type Scope } from "effect"
import { layer, services, type SqliteStoreOptions } from "@inlethq/storage-sqlite/SqliteStore"
import type { Sync } from "../src/engine/LogFile.ts"
import { openDatabase } from "../src/openDatabase.ts"
import { fractions } from "../../../tools/testing/randomNumbers.ts"
import { SimulatedDisk } from "./SimulatedDisk.ts"

/** Creates a directory that is removed when the scope closes. */
export const temporaryDirectory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "inlet-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
)

/** Opens the store in a directory. */
export const storeIn = (directory: string, options: Omit<SqliteStoreOptions, "directory"> = {}) =>
  layer({ ...options, directory }).pipe(Layer.provide(plainDigest))

/** An empty store. */
export const temporaryStore = Layer.unwrap(Effect.map(temporaryDirectory, (directory) => storeIn(directory)))

/** Opens the store in an existing directory. `sync` replaces the syncs of its write-ahead log. */
export const storeOnDisk = (
  directory: string,
  sync: Sync,
  options: Omit<SqliteStoreOptions, "directory"> & {
    readonly onRecovery?: () => void
    readonly syncsMax?: number
  } = {},
) =>
  Layer.effectContext(
    Effect.flatMap(openDatabase(directory, { sync, syncsMax: options.syncsMax }), (database) => {
      database.durability.onRecovery(options.onRecovery ?? (() => {}))
      return services(database, options)
    }),
  ).pipe(Layer.provide(plainDigest))

/** An empty store on a disk with syncs that take a random time. Each step of housekeeping does only little work. */
export const slowStore = Layer.unwrap(
  Effect.map(temporaryDirectory, (directory) =>
    storeOnDisk(directory, new SimulatedDisk(fractions(1)).sync, { sweepRowsMax: 7 }),
  ),
)
