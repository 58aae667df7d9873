import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Result, Schema } from "effect"

/*
 * `inlet backup` works on the data directory and not through the server, so it notes each backup in a file there. Receipts
 * of erasures name the backups that were begun before.
 */

/** A backup of the data directory. Its file may have been moved or removed since. */
export const KnownBackup = Schema.Struct({
  file: Schema.String,
  created_at: Schema.String,
  bytes: Schema.Int,
})
export type KnownBackup = typeof KnownBackup.Type

/** The largest number of backups that are known. The oldest make room. */
export const knownBackupsMax = 200

const fileName = "backups.ndjson"

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(KnownBackup))

/** Reads the backups that were made of a data directory, oldest first. There are none if nothing was noted there. */
export const readBackups = (directory: string): ReadonlyArray<KnownBackup> => {
  try {
    const lines = readFileSync(join(directory, fileName), "utf8").split("\n")
    return lines.map((line) => decode(line)).flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
  } catch {
    return []
  }
}

/** Notes a backup. Throws an error if the directory cannot be written. */
export const noteBackup = (directory: string, backup: KnownBackup): void => {
  const known = [...readBackups(directory), backup].slice(-knownBackupsMax)
  const file = join(directory, fileName)
  const draft = `${file}.part`
  writeFileSync(draft, known.map((one) => `${JSON.stringify(one)}\n`).join(""), { mode: 0o600 })
  const { gid, uid } = statSync(directory)
  // Whoever makes backups may not be who runs the server, which reads the file.
  if (process.getuid?.() === 0) chownSync(draft, uid, gid)
  renameSync(draft, file)
}

/** Returns the backups that were begun before a time, and may hold what is erased since. */
export const backupsBefore = (
  directory: string | null,
  at: number,
): Effect.Effect<ReadonlyArray<KnownBackup>> =>
  Effect.sync(() =>
    directory === null ? [] : readBackups(directory).filter(({ created_at }) => Date.parse(created_at) <= at),
  )
