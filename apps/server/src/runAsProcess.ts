import { NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Effect, Option, Runtime } from "effect"

/** Says in one line why the program ended; what nobody foresaw is told whole. */
const report = (cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.void
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  const line = error instanceof Error ? error.message : Cause.pretty(cause)
  return line === "" ? Effect.void : Console.error(`inlet: ${line}`)
}

/** Runs a program as this process: exit code 0 at its end or when SIGTERM or SIGINT stops it, else its error's or 1. */
export const runAsProcess = <A, E>(program: Effect.Effect<A, E>): void =>
  NodeRuntime.runMain(Effect.tapCause(program, report), {
    disableErrorReporting: true,
    teardown: (exit, onExit) =>
      Runtime.defaultTeardown(exit, (code) =>
        onExit(exit._tag === "Failure" && Cause.hasInterruptsOnly(exit.cause) ? 0 : code),
      ),
  })
