import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { needsOf } from "@inlethq/core/CommandTable"
import { decideInSlices } from "@inlethq/core/Batch"
import type { ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import { repeatErasures } from "@inlethq/engine/erasures/repeatErasures"
import { Digest } from "@inlethq/core/ports/Digest"
import { nothingIsOld, Store } from "@inlethq/core/ports/Store"
import * as SqliteStore from "@inlethq/storage-sqlite/SqliteStore"
import { Effect } from "effect"

/**
 * Opens the database of a directory that no server uses, erases again everybody whom the records name, and overwrites
 * what is left of them in the file. Returns the number of records that took effect. A call that was killed can be
 * repeated. The directory has only the database afterwards, without a write-ahead log.
 */
export const eraseAgain = (
  directory: string,
  records: ReadonlyArray<ErasureRecord>,
  digest: Digest["Service"],
) =>
  Effect.gen(function* () {
    const repeated = yield* Effect.gen(function* () {
      const store = yield* Store
      const count = yield* repeatErasures(records, (workspace, commands) =>
        Effect.flatten(
          store.transact(needsOf(workspace.id, commands), (seen) => decideInSlices(seen, commands)),
        ),
      )
      if (count === 0) return 0
      let swept = yield* store.sweep(nothingIsOld)
      while (!swept.done) {
        yield* Effect.yieldNow
        swept = yield* store.sweep(nothingIsOld)
      }
      return count
    }).pipe(Effect.provide(SqliteStore.layer({ directory, mustExist: true })))
    return repeated
  }).pipe(Effect.provideService(Digest, digest))

/** Moves the database of a directory out of it, and removes the directory. Throws if its write-ahead log is not empty. */
export const moveDatabase = (from: string, to: string): void => {
  const file = join(from, "inlet.db")
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    throw new Error("the write-ahead log of the restored database could not be emptied")
  }
  renameSync(file, to)
  rmSync(from, { recursive: true, force: true })
  syncDirectory(join(to, ".."))
}

const syncDirectory = (path: string): void => {
  const folder = openSync(path, "r")
  fsyncSync(folder)
  closeSync(folder)
}
