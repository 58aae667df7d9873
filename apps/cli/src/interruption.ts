import { Console, Effect } from "effect"
import process from "node:process"

/** The exit code of a program that Ctrl-C has ended. */
const interruptedCode = 130

/**
 * Makes the process exit with an error code after Ctrl-C. Without the error code, a script would take an interrupted
 * import for a complete import.
 */
export const failWhenInterrupted: Effect.Effect<void> = Effect.sync(() => {
  process.exitCode = interruptedCode
})

/** If Ctrl-C ends the effect, prints `text` and makes the process exit with an error code. */
export const orInterrupted =
  (text: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.onInterrupt(effect, () => Effect.andThen(Console.error(`inlet: ${text}`), failWhenInterrupted))
