import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { toIso } from "@inlethq/core/values/Timestamp"
import { noteBackup } from "@inlethq/http/management/erasures/knownBackups"
import { backupDatabase } from "@inlethq/storage-sqlite/transfer/backupDatabase"
import { Clock, Effect } from "effect"
import { readDigestKey } from "../digestKey.ts"
import { completeBackup } from "./backupFile.ts"
import { BackupRefused } from "./BackupRefused.ts"
import { backupTexts } from "./backupTexts.ts"
import { readToken } from "./tokenFile.ts"

export interface BackupOptions {
  readonly directory: string
  readonly file: string
  /** Called with the share of the work that is done, from 0 to 1. */
  readonly report: (share: number) => void
}

/** The contents of a finished backup. */
export interface BackedUp {
  readonly bytes: number
  readonly createdAt: string
}

/** An estimate: copying the database takes this share of a backup's time, and computing the digest takes the rest. */
const copyShare = 0.7

/**
 * Backs up a data directory into one file that only its owner can read. A server may use the directory during the
 * backup.
 */
export const backup = ({ directory, file, report }: BackupOptions) =>
  Effect.gen(function* () {
    if (!existsSync(join(directory, "inlet.db"))) {
      return yield* new BackupRefused({ problem: backupTexts.noData({ directory }) })
    }
    const key = yield* onFile(directory, () => readDigestKey(directory))
    if (key === undefined) return yield* new BackupRefused({ problem: backupTexts.noKey({ directory }) })
    const draft = `${file}.part`
    const createdAt = toIso(yield* Clock.currentTimeMillis)
    yield* onFile(file, () => {
      if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) throw new Error("the path is a directory")
      removeDraft(draft)
      // SQLite accepts an empty file as the target of a backup. The file is created here, because SQLite would create
      // it with the default permissions.
      closeSync(openSync(draft, "wx", 0o600))
    })
    yield* Effect.gen(function* () {
      yield* Effect.scoped(
        backupDatabase(directory, draft, (done, total) => report((copyShare * done) / Math.max(1, total))),
      ).pipe(
        Effect.catchTags({
          LogTooLong: () => Effect.fail(new BackupRefused({ problem: backupTexts.logTooLong() })),
          BackupFailed: ({ cause }) => Effect.fail(notWritten(file, cause)),
        }),
      )
      yield* Effect.tryPromise({
        try: () =>
          completeBackup(
            draft,
            {
              created_at: createdAt,
              digest_key: key.toString("hex"),
              management_token: readToken(directory),
            },
            (done, total) => report(copyShare + ((1 - copyShare) * done) / total),
          ),
        catch: (cause) => notWritten(file, cause),
      })
      yield* onFile(file, () => renameSync(draft, file))
    }).pipe(Effect.onError(() => Effect.sync(() => removeDraft(draft))))
    const { size } = yield* onFile(file, () => statSync(file))
    // The backup is complete, whether or not it can be noted in the data directory.
    yield* Effect.ignore(
      onFile(directory, () =>
        noteBackup(directory, { file: resolve(file), created_at: createdAt, bytes: size }),
      ),
    )
    return { bytes: size, createdAt } satisfies BackedUp
  })

/** Removes an incomplete backup, and the files that SQLite makes beside a database while it writes. */
const removeDraft = (draft: string): void => {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(draft + suffix, { force: true })
}

/** Runs blocking calls on a file. */
const onFile = <A>(file: string, run: () => A): Effect.Effect<A, BackupRefused> =>
  Effect.try({ try: run, catch: (cause) => notWritten(file, cause) })

const notWritten = (file: string, cause: unknown): BackupRefused => {
  const problem = cause instanceof Error ? cause.message : String(cause)
  return new BackupRefused({ problem: backupTexts.notWritten({ file, problem }) })
}
