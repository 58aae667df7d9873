import { Console, Effect, FileSystem, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { cliTexts } from "../cliTexts.ts"
import { optionalFlag } from "../flags.ts"
import { WrongOption } from "../server/Connection.ts"
import { CommandFailed } from "../server/onServer.ts"

const SeedCall = Schema.StructWithRest(
  Schema.Struct({ type: Schema.Literals(["identify", "track", "page", "screen", "group", "alias"]) }),
  [Schema.Record(Schema.String, Schema.Unknown)],
)
type SeedCall = typeof SeedCall.Type

const decodeSeedLine = Schema.decodeUnknownEffect(Schema.fromJsonString(SeedCall))

/** Reads the calls of a seed file, one call from each line that is not blank. */
const readSeed = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* files
    .readFileString(file)
    .pipe(Effect.mapError(() => new WrongOption({ message: cliTexts.fileNotFound({ file }) })))
  const lines = text.split("\n").map((line, at) => ({ line, number: at + 1 }))
  return yield* Effect.forEach(
    lines.filter(({ line }) => line.trim() !== ""),
    ({ line, number }) =>
      Effect.mapError(
        decodeSeedLine(line),
        () => new WrongOption({ message: cliTexts.wrongSeedLine({ file, line: number }) }),
      ),
  )
})

/** Starts the emulator, and stops it when the scope closes. */
const startEmulator = (port: number, seed: ReadonlyArray<SeedCall>) =>
  Effect.acquireRelease(
    Effect.tryPromise({
      try: () => createEmulator(port, seed),
      catch: (cause) =>
        new CommandFailed({ message: cliTexts.emulatorNotStarted({ port, problem: problemOf(cause) }) }),
    }),
    ({ control, emulator }) =>
      Effect.promise(async () => {
        await control.close()
        await emulator.close()
      }),
  )

/** Starts the emulator, and the server that controls it. */
const createEmulator = async (port: number, seed: ReadonlyArray<SeedCall>) => {
  // The server's code is loaded on demand, so that all other commands start faster and use less memory.
  const { createInlet } = await import("@inlet/sdk/testing")
  const { startControl } = await import("@inlet/sdk/testing/control")
  const emulator = await createInlet({ port, seed })
  return { emulator, control: await startControl(emulator) }
}

/**
 * Returns the code of a system error, such as `EADDRINUSE`, or the message of another error. The server's own message
 * for a system error names environment variables that the emulator does not read.
 */
const problemOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  return "code" in cause ? String(cause.code) : cause.message
}

export const emulateCommand = Command.make(
  "emulate",
  {
    port: Flag.Int("port").pipe(
      Flag.withDescription("Port to listen on; 0 picks a free one"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))),
      Flag.withDefault(0),
    ),
    seed: optionalFlag(
      Flag.File("seed", { mustExist: true }),
      "NDJSON file of Pipelines calls to apply before the address is printed",
    ),
  },
  Effect.fnUntraced(function* ({ port, seed }) {
    const calls = yield* Option.match(seed, { onNone: () => Effect.succeed([]), onSome: readSeed })
    const { control, emulator } = yield* startEmulator(port, calls)
    const { apiKey, managementToken, siteId, url, writeKey } = emulator
    const controlUrl = control.url
    yield* Console.log(JSON.stringify({ url, siteId, apiKey, writeKey, managementToken, controlUrl }))
    return yield* Effect.never
  }, Effect.scoped),
).pipe(
  Command.withDescription(
    "Run a server for tests in memory until SIGINT or SIGTERM, and print its address and keys as JSON on one line",
  ),
  Command.withExamples([
    { command: "inlet emulate", description: "New keys and a free port at each start" },
    { command: "inlet emulate --seed people.ndjson", description: "Data for every test" },
    { command: "inlet emulate --port 8081", description: "A fixed address for tests in another language" },
  ]),
)
