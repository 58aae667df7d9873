import { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Effect } from "effect"
import { resultCode } from "./resultCode.ts"

const busy = 5
const noMemory = 7
const readOnly = 8
const ioError = 10
const full = 13
const cannotOpen = 14
const protocol = 15

const corrupt = 11
const notADatabase = 26

/** Primary result codes of SQLite for temporary causes, such as a lock, a full disk or a failing device. */
const temporary = new Set([busy, noMemory, readOnly, ioError, full, cannotOpen, protocol])

/** Runs blocking calls of SQLite. A temporary error fails with `StoreUnavailable`. Any other error is a defect. */
export const attempt = <A>(operation: string, run: () => A): Effect.Effect<A, StoreUnavailable> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(run())
    } catch (cause) {
      return isTemporary(cause) ? Effect.fail(new StoreUnavailable({ operation, cause })) : Effect.die(cause)
    }
  })

/** Returns whether the same call of SQLite may succeed if it is repeated later. */
const isTemporary = (cause: unknown): boolean => {
  const code = resultCode(cause)
  return code === undefined ? cause instanceof Error && "syscall" in cause : temporary.has(code & 0xff)
}

/** Returns whether SQLite failed because another connection holds a lock. */
export const isBusy = (cause: unknown): boolean => {
  const code = resultCode(cause)
  return code !== undefined && (code & 0xff) === busy
}

/** Returns whether SQLite reported that the file is damaged or is not a database. */
export const isUnreadable = (cause: unknown): cause is Error => {
  const code = resultCode(cause)
  return code !== undefined && ((code & 0xff) === corrupt || (code & 0xff) === notADatabase)
}
