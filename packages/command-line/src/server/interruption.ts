import { Console, Effect } from "effect"
import process from "node:process"

/** The exit code of a program that Ctrl-C has ended. */
const interruptedCode = 130

/**
 * Makes the process exit with code 130 if Ctrl-C ends the effect, unless `succeedWhenInterrupted` is inside it. Without
 * an error code, a script would take an interrupted import for a complete one.
 */
export const failWhenInterrupted: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.onInterrupt(() =>
    Effect.sync(() => {
      process.exitCode ??= interruptedCode
    }),
  )

/** Makes the process exit with code 0 if Ctrl-C ends the effect, because the effect has no other end. */
export const succeedWhenInterrupted: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.onInterrupt(() =>
    Effect.sync(() => {
      process.exitCode ??= 0
    }),
  )

/** If Ctrl-C ends the effect, prints `text`. */
export const orInterrupted =
  (text: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.onInterrupt(effect, () => Console.error(`inlet: ${text}`))
