import { ShippedFiles } from "@inlethq/http/ShippedFiles"
import { ConfigProvider, Effect, Option } from "effect"
import { Command, Flag, GlobalFlag } from "effect/cli"
import { succeedWhenInterrupted } from "../../server/interruption.ts"

const setting = (flag: string, description: string) =>
  Flag.String(flag).pipe(Flag.withDescription(description), Flag.optional)

/** The flags of `inlet serve`. Each flag overrides an environment variable. */
const flags = {
  INLET_HOST: setting("host", "Address to listen on (INLET_HOST; default: 127.0.0.1)"),
  INLET_PORT: setting("port", "Port to listen on; 0 picks a free one (INLET_PORT; default: 8080)"),
  INLET_DATA_DIR: setting("data-dir", "Data directory of the SQLite store (INLET_DATA_DIR; default: .inlet)"),
  INLET_STORE: setting("store", "sqlite, memory or a postgres:// URL (INLET_STORE; default: sqlite)"),
}

export const serveCommand = Command.make("serve", flags, (given) =>
  Effect.gen(function* () {
    const logLevel = Option.map(yield* GlobalFlag.LogLevel, (level) => level.toLowerCase())
    const chosen = Object.entries({ ...given, INLET_LOG: logLevel }).flatMap(([name, value]) =>
      Option.isSome(value) ? [[name, value.value] as const] : [],
    )
    const byFlags = ConfigProvider.fromEnv({ env: Object.fromEntries(chosen) })
    const settings = ConfigProvider.orElse(byFlags, ConfigProvider.fromEnv())
    // The server's code is loaded on demand, so that all other commands start faster and use less memory.
    const { serve } = yield* Effect.promise(() => import("@inlethq/runtime/serve"))
    return yield* Effect.provide(serve(yield* ShippedFiles), ConfigProvider.layer(settings))
  }).pipe(succeedWhenInterrupted),
).pipe(
  Command.withDescription("Run the server until it receives SIGINT or SIGTERM"),
  Command.withExamples([
    { command: "inlet serve", description: "Listen on 127.0.0.1:8080 and store data in .inlet" },
    { command: "inlet serve --port 0 --store memory", description: "Run a temporary server on a free port" },
  ]),
)
