import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, type Scope } from "effect"
import { layer } from "../src/SqliteStore.ts"

/** A directory that goes with the scope. */
export const temporaryDirectory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "inlet-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
)

/** An empty store. */
export const temporaryStore = Layer.unwrap(
  Effect.map(temporaryDirectory, (directory) => layer({ directory })),
)
