import { existsSync, readdirSync, renameSync, rmSync } from "node:fs"
import { open, type FileHandle } from "node:fs/promises"
import { join } from "node:path"
import { lockDirectory } from "@inlethq/storage-sqlite/engine/DataDirectory"
import { makeDirectory } from "@inlethq/storage-sqlite/engine/makeDirectory"
import { Effect, type Scope } from "effect"
import { digestKeyFile, writeDigestKey } from "../digestKey.ts"
import { BackupRefused } from "./BackupRefused.ts"
import { extractDatabase, readTrailer, type BackupTrailer } from "./backupFile.ts"
import { backupTexts } from "./backupTexts.ts"
import { digestWith } from "../digestWith.ts"
import { eraseAgain, moveDatabase } from "./eraseAgain.ts"
import { readLedger } from "./readLedger.ts"
import { writeToken } from "./tokenFile.ts"

export interface RestoreOptions {
  readonly file: string
  readonly directory: string
  /**
   * A data directory, or a file that `inlet erasure ledger` wrote. Who was erased since the backup is erased again before
   * the restore ends. Null if only the ledger in the backup counts.
   */
  readonly ledger: string | null
  /** Called with the share of the work that is done, from 0 to 1. */
  readonly report: (share: number) => void
}

/** The result of a restore. */
export interface Restored {
  readonly bytes: number
  readonly createdAt: string
  /** The number of records of the ledger that the backup did not have. */
  readonly erased: number
}

/** The directory in which the database is made. */
const draftName = "restoring"

/**
 * Files that a killed restore may leave in the directory. A restore accepts a directory that holds only these files, so
 * that a killed restore can be repeated.
 */
const ownFiles = new Set(["lock", draftName, digestKeyFile, "management-token"])

/**
 * Restores a backup into an empty data directory. A server starts on the directory only when the restored database is
 * complete, because the restore writes the digest key first and gives the database file its final name last.
 */
export const restore = ({ directory, file, ledger, report }: RestoreOptions) =>
  Effect.gen(function* () {
    const backup = yield* opened(file)
    const trailer = yield* Effect.tryPromise({
      try: () => readTrailer(backup),
      catch: (cause) => unreadable(file, cause),
    })
    if (trailer === undefined) return yield* new BackupRefused({ problem: backupTexts.notABackup({ file }) })
    yield* expectEmpty(directory)
    const digest = digestWith(Buffer.from(trailer.contents.digest_key, "hex"))
    const records = ledger === null ? [] : yield* readLedger(ledger, digest)
    const isNew = !existsSync(directory)
    yield* onFiles(directory, () => makeDirectory(directory))
    yield* lockDirectory(directory)
    const draft = join(directory, draftName)
    const erased = yield* Effect.gen(function* () {
      yield* extractInto(directory, file, backup, trailer, report)
      const count = records.length === 0 ? 0 : yield* orRefused(eraseAgain(draft, records, digest))
      yield* onFiles(directory, () => moveDatabase(draft, join(directory, "inlet.db")))
      return count
    }).pipe(Effect.onError(() => Effect.sync(() => removeDraft(directory, isNew))))
    const { created_at, database_bytes } = trailer.contents
    return { bytes: database_bytes, createdAt: created_at, erased } satisfies Restored
  }).pipe(Effect.scoped)

const extractInto = (
  directory: string,
  file: string,
  backup: FileHandle,
  trailer: BackupTrailer,
  report: RestoreOptions["report"],
): Effect.Effect<void, BackupRefused> =>
  Effect.gen(function* () {
    const draft = join(directory, draftName)
    const { digest_key, management_token } = trailer.contents
    yield* onFiles(directory, () => {
      // A restore that was killed may have left these files.
      for (const name of [draftName, digestKeyFile]) {
        rmSync(join(directory, name), { recursive: true, force: true })
      }
      makeDirectory(draft)
      writeDigestKey(directory, Buffer.from(digest_key, "hex"))
      if (management_token !== null) writeToken(directory, management_token)
    })
    const isWhole = yield* onFiles(directory, () =>
      extractDatabase(backup, trailer, join(draft, "inlet.db.part"), (done, total) => report(done / total)),
    )
    if (!isWhole) return yield* new BackupRefused({ problem: backupTexts.damaged({ file }) })
    yield* onFiles(directory, () => renameSync(join(draft, "inlet.db.part"), join(draft, "inlet.db")))
  })

const opened = (file: string): Effect.Effect<FileHandle, BackupRefused, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => open(file, "r"),
      catch: (cause) => unreadable(file, cause),
    }),
    (handle) => Effect.promise(() => handle.close()),
  )

const unreadable = (file: string, cause: unknown): BackupRefused => {
  const problem = cause instanceof Error ? cause.message : String(cause)
  return new BackupRefused({ problem: backupTexts.notRead({ file, problem }) })
}

const expectEmpty = (directory: string): Effect.Effect<void, BackupRefused> =>
  Effect.gen(function* () {
    const names = yield* onFiles(directory, () => (existsSync(directory) ? readdirSync(directory) : []))
    const isEmpty = names.every((name) => name === "lock")
    const isKilled = names.includes(draftName) && names.every((name) => ownFiles.has(name))
    if (!isEmpty && !isKilled)
      return yield* new BackupRefused({ problem: backupTexts.notEmpty({ directory }) })
  })

/** Removes the files of a restore that failed, so that the directory is as it was before. */
const removeDraft = (directory: string, isNew: boolean): void => {
  if (isNew) return rmSync(directory, { recursive: true, force: true })
  for (const name of ownFiles) rmSync(join(directory, name), { recursive: true, force: true })
}

const orRefused = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, BackupRefused, R> =>
  Effect.mapError(effect, (error) => {
    const problem = error instanceof Error ? error.message : String(error)
    return new BackupRefused({ problem: backupTexts.notErased({ problem }) })
  })

const onFiles = <A>(directory: string, run: () => A | Promise<A>): Effect.Effect<A, BackupRefused> =>
  Effect.tryPromise({
    try: async () => run(),
    catch: (cause) => {
      const problem = cause instanceof Error ? cause.message : String(cause)
      return new BackupRefused({ problem: backupTexts.notRestored({ directory, problem }) })
    },
  })
