import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { StoreUnavailable } from "@inlet/core/ports/Store"
import { Effect, Schema, type Scope } from "effect"
import { isBusy } from "./sqliteErrors.ts"
import { openTexts } from "./openTexts.ts"

/** Another process, or another store of this one, works on the data directory. */
export class DataDirectoryInUse extends Schema.TaggedError<DataDirectoryInUse>()("DataDirectoryInUse", {
  directory: Schema.String,
}) {
  override get message() {
    return openTexts.inUse({ directory: this.directory })
  }
}

/**
 * Makes a data directory where there is none, and holds it until the scope closes: one process a directory. The lock is
 * the operating system's, on an empty file, so it goes with the process however it ends.
 */
export const holdDirectory = (
  directory: string,
): Effect.Effect<void, DataDirectoryInUse | StoreUnavailable, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        mkdirSync(directory, { recursive: true, mode: 0o700 })
        return lock(join(directory, "lock"))
      },
      catch: (cause) =>
        isBusy(cause)
          ? new DataDirectoryInUse({ directory })
          : new StoreUnavailable({ operation: `open the data directory ${directory}`, cause }),
    }),
    (held) => Effect.sync(() => held.close()),
  )

/** Makes a file for its owner's eyes only, and closes an existing one to others. */
export const makePrivate = (file: string): void => {
  try {
    // "x" fails before it opens: closing a descriptor of a file drops every lock that this process has on it.
    closeSync(openSync(file, "wx", 0o600))
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause
    chmodSync(file, 0o600)
  }
}

const lock = (file: string): DatabaseSync => {
  makePrivate(file)
  const held = new DatabaseSync(file)
  try {
    held.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE")
    return held
  } catch (cause) {
    held.close()
    throw cause
  }
}
