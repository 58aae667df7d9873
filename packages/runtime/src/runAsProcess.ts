import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Option, Runtime } from "effect"

/** Prints why the program ended: one line for an expected error, or the full cause of an unexpected error. */
const report = (cause: Cause.Cause<unknown>, shown: (text: string) => string): Effect.Effect<void> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  const line = error instanceof Error ? shown(error.message) : Cause.pretty(cause)
  return line === "" ? Effect.void : Console.error(`inlet: ${line}`)
}

/** Prints why a program ends. Prints the message of an error as `shown` returns it. */
export const reported = <A, E, R>(
  program: Effect.Effect<A, E, R>,
  shown: (text: string) => string = (text) => text,
): Effect.Effect<A, E, R> => Effect.tapCause(program, (cause) => report(cause, shown))

/** Returns the exit code after SIGTERM or SIGINT: the code that the program has set, or 0. */
const interruptedCode = (): number => Number(process.exitCode ?? 0)

/**
 * Runs a program as the main fiber of this process, `reported`. The exit code is 0 if the program ends or is stopped by
 * SIGTERM or SIGINT. After an error it is the error's own exit code, or 1.
 */
export const runAsProcess = <A, E>(program: Effect.Effect<A, E>, shown?: (text: string) => string): void =>
  NodeRuntime.runMain(reported(program, shown), {
    disableErrorReporting: true,
    teardown: (exit, onExit) =>
      Runtime.defaultTeardown(exit, (code) =>
        onExit(exit._tag === "Failure" && Cause.hasInterruptsOnly(exit.cause) ? interruptedCode() : code),
      ),
  })
