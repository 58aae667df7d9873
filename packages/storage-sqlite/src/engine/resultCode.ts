const syncFailed = 1034
const directorySyncFailed = 1290

/** Returns the extended result code of an error of `node:sqlite`. */
export const resultCode = (cause: unknown): number | undefined =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number"
    ? cause.errcode
    : undefined

/**
 * Returns whether SQLite could not sync a file. The operating system may have dropped what was written to the file, although the
 * next sync may succeed.
 */
export const isSyncFailure = (cause: unknown): cause is Error => {
  const code = resultCode(cause)
  return code === syncFailed || code === directorySyncFailed
}
