import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { plainDigest } from "@inlet/store-conformance/digest"
import { Effect, Layer, type Scope } from "effect"
import { layer } from "@inlet/storage-sqlite/SqliteStore"

/** A directory that goes with the scope. */
export const temporaryDirectory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "inlet-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
)

/** The store in a directory. */
export const storeIn = (directory: string, sweepRowsMax?: number) =>
  layer({ directory, sweepRowsMax }).pipe(Layer.provide(plainDigest))

/** An empty store. */
export const temporaryStore = Layer.unwrap(Effect.map(temporaryDirectory, (directory) => storeIn(directory)))

/** An empty store with steps of housekeeping so small that few things are done in one. */
export const smallStepsStore = Layer.unwrap(
  Effect.map(temporaryDirectory, (directory) => storeIn(directory, 7)),
)
