import { Effect } from "effect"
import process from "node:process"

/** The exit code of a program that Ctrl-C has ended. */
const interruptedCode = 130

/**
 * Makes Ctrl-C exit with a code that is not 0. For commands that have an end: a script must not take an interrupted one for a
 * complete one.
 */
export const failWhenInterrupted: Effect.Effect<void> = Effect.sync(() => {
  process.exitCode = interruptedCode
})
