import { chmodSync, closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect, type Scope } from "effect"
import { isBusy } from "./sqliteErrors.ts"
import { makeDirectory } from "./makeDirectory.ts"
import { DataDirectoryInUse } from "./openErrors.ts"

/**
 * Creates a data directory if it is missing, and locks it until the scope closes. The operating system holds the lock
 * on the file named `lock`, and releases the lock however the process ends.
 */
export const lockDirectory = (
  directory: string,
): Effect.Effect<void, DataDirectoryInUse | StoreUnavailable, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        makeDirectory(directory)
        return lock(join(directory, "lock"))
      },
      catch: (cause) =>
        isBusy(cause)
          ? new DataDirectoryInUse({ directory })
          : new StoreUnavailable({ operation: `open the data directory ${directory}`, cause }),
    }),
    (locked) => Effect.sync(() => locked.close()),
  )

/** Creates a file that only its owner can read, or restricts an existing file to its owner. */
export const makePrivate = (file: string): void => {
  try {
    // The flag "x" makes the call fail without opening a file that exists. Opening and closing the database file would
    // drop all locks that this process has on it.
    closeSync(openSync(file, "wx", 0o600))
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
    chmodSync(file, 0o600)
  }
}

const lock = (file: string): DatabaseSync => {
  makePrivate(file)
  const locked = new DatabaseSync(file)
  try {
    locked.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    return locked
  } catch (cause) {
    locked.close()
    throw cause
  }
}
