import { StoreUnavailable } from "@inlet/core/ports/Store"
import { Effect } from "effect"

const busy = 5
const noMemory = 7
const readOnly = 8
const ioError = 10
const full = 13
const cannotOpen = 14
const protocol = 15

const corrupt = 11
const notADatabase = 26

/** Primary result codes of SQLite that pass once their cause is gone: a lock, a full disk, a failing device. */
const passing = new Set([busy, noMemory, readOnly, ioError, full, cannotOpen, protocol])

/** Runs what blocks on SQLite; what passes by itself fails as `StoreUnavailable`, anything else is a defect. */
export const attempt = <A>(operation: string, run: () => A): Effect.Effect<A, StoreUnavailable> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(run())
    } catch (cause) {
      return isOutage(cause) ? Effect.fail(new StoreUnavailable({ operation, cause })) : Effect.die(cause)
    }
  })

/** Whether SQLite, or the file system, could not do now what it can do at another time. */
const isOutage = (cause: unknown): boolean => {
  const code = resultCode(cause)
  return code === undefined ? cause instanceof Error && "syscall" in cause : passing.has(code & 0xff)
}

/** Whether another connection holds a lock. */
export const isBusy = (cause: unknown): boolean => {
  const code = resultCode(cause)
  return code !== undefined && (code & 0xff) === busy
}

/** Whether SQLite found that a file is damaged, or is not a database. */
export const isUnreadable = (cause: unknown): cause is Error => {
  const code = resultCode(cause)
  return code !== undefined && ((code & 0xff) === corrupt || (code & 0xff) === notADatabase)
}

/** The extended result code of an error of `node:sqlite`. */
const resultCode = (cause: unknown): number | undefined =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number"
    ? cause.errcode
    : undefined
