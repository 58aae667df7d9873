import { NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Effect, Exit, Option } from "effect"
import { serve } from "./serve.ts"

/** Says in one line why the server cannot run; what nobody foresaw is told whole. */
const report = (cause: Cause.Cause<{ readonly message: string }>) =>
  Cause.hasInterruptsOnly(cause)
    ? Effect.void
    : Console.error(
        Option.match(Cause.findErrorOption(cause), {
          onNone: () => `inlet: ${Cause.pretty(cause)}`,
          onSome: (error) => `inlet: ${error.message}`,
        }),
      )

/** Runs the server as this process: until SIGTERM or SIGINT, then exit code 0; 1 where it cannot run. */
export const runServer = (): void =>
  NodeRuntime.runMain(Effect.tapCause(serve, report), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1),
  })
