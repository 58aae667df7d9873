import { ConfigProvider, Effect, Option } from "effect"
import { Command, Flag, GlobalFlag } from "effect/cli"

const setting = (flag: string, description: string) =>
  Flag.String(flag).pipe(Flag.withDescription(description), Flag.optional)

/** Each flag stands for a variable of the environment, and wins over it. */
const flags = {
  INLET_HOST: setting("host", "Address to listen on (INLET_HOST, 127.0.0.1)"),
  INLET_PORT: setting("port", "Port to listen on; 0 picks one (INLET_PORT, 8080)"),
  INLET_DATA_DIR: setting("data-dir", "Directory of the embedded store (INLET_DATA_DIR, .inlet)"),
  INLET_STORE: setting("store", "sqlite or memory (INLET_STORE, sqlite)"),
}

export const serveCommand = Command.make("serve", flags, (given) =>
  Effect.gen(function* () {
    const logLevel = Option.map(yield* GlobalFlag.LogLevel, (level) => level.toLowerCase())
    const chosen = Object.entries({ ...given, INLET_LOG: logLevel }).flatMap(([name, value]) =>
      Option.isSome(value) ? [[name, value.value] as const] : [],
    )
    const byFlags = ConfigProvider.fromEnv({ env: Object.fromEntries(chosen) })
    const settings = ConfigProvider.orElse(byFlags, ConfigProvider.fromEnv())
    // Other commands start sooner and smaller without the server.
    const { serve } = yield* Effect.promise(() => import("@inlet/server/serve"))
    return yield* Effect.provide(serve, ConfigProvider.layer(settings))
  }),
).pipe(
  Command.withDescription("Run the server until it is told to stop"),
  Command.withExamples([
    { command: "inlet serve", description: "Listen on 127.0.0.1:8080 and keep everything in .inlet" },
    { command: "inlet serve --port 0 --store memory", description: "A throw-away server on a free port" },
  ]),
)
