import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { plainDigest } from "@inlet/store-conformance/digest"
import { Effect, Layer, type Scope } from "effect"
import { layer, type SqliteStoreOptions } from "@inlet/storage-sqlite/SqliteStore"

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

/** An empty store with a very small budget for each step of housekeeping. */
export const smallStepsStore = Layer.unwrap(
  Effect.map(temporaryDirectory, (directory) => storeIn(directory, { sweepRowsMax: 7 })),
)
