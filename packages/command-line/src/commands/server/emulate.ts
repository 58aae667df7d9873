import { type Cause, Effect, FileSystem, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag } from "../../flags/flags.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { succeedWhenInterrupted } from "../../server/interruption.ts"
import { fileProblem } from "../../server/fileProblem.ts"

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
    .pipe(
      Effect.mapError(
        (error) => new WrongOption({ message: cliTexts.fileNotFound({ file, problem: fileProblem(error) }) }),
      ),
    )
  const lines = text.split("\n").map((line, at) => ({ line, number: at + 1 }))
  return yield* Effect.forEach(
    lines.filter(({ line }) => line.trim() !== ""),
    ({ line, number }) =>
      Effect.mapError(decodeSeedLine(line), ({ message }) => {
        const problem = message.replaceAll(/\s+/g, " ")
        return new WrongOption({ message: cliTexts.wrongSeedLine({ file, line: number, problem }) })
      }),
  )
})

/** Starts the emulator and the server that controls it, and stops both when the scope closes. */
const startEmulator = Effect.fnUntraced(function* (port: number, seed: ReadonlyArray<SeedCall>) {
  const orFailed = Effect.mapError(({ cause }: Cause.UnknownError) => notStarted(port, cause))
  const emulator = yield* Effect.acquireRelease(
    // The server's code is loaded on demand, so that all other commands start faster and use less memory.
    Effect.tryPromise(async () => (await import("@inlethq/testing")).createInlet({ port, seed })),
    (started) => Effect.promise(() => started.close()),
  ).pipe(orFailed)
  const control = yield* Effect.acquireRelease(
    Effect.tryPromise(async () => (await import("@inlethq/testing/control")).startControl(emulator)),
    (started) => Effect.promise(() => started.close()),
  ).pipe(orFailed)
  return { control, emulator }
})

/**
 * Returns the error for an emulator that could not start. A system error gets a message of its own, because the
 * server's message names environment variables that the emulator does not read.
 */
const notStarted = (port: number, cause: unknown): CommandFailed => {
  if (!(cause instanceof Error)) return new CommandFailed({ message: String(cause) })
  const message =
    "code" in cause
      ? cliTexts.emulatorNotStarted({ port, problem: String(cause.code) })
      : cliTexts.seedRefused({ problem: cause.message })
  return new CommandFailed({ message })
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
  Effect.fnUntraced(
    function* ({ port, seed }) {
      const calls = yield* Option.match(seed, { onNone: () => Effect.succeed([]), onSome: readSeed })
      const { control, emulator } = yield* startEmulator(port, calls)
      const { apiKey, managementToken, siteId, url, writeKey } = emulator
      const controlUrl = control.url
      const { print } = yield* JsonOutput
      yield* print(JSON.stringify({ url, siteId, apiKey, writeKey, managementToken, controlUrl }))
      return yield* Effect.never
    },
    Effect.scoped,
    succeedWhenInterrupted,
  ),
).pipe(
  Command.withDescription(
    "Run a server for tests in memory until SIGINT or SIGTERM, and print its address, which serves ingestion and management, and its keys as JSON on one line",
  ),
  Command.withExamples([
    { command: "inlet emulate", description: "New keys and a free port at each start" },
    { command: "inlet emulate --seed people.ndjson", description: "Data for every test" },
    { command: "inlet emulate --port 8081", description: "A fixed address for tests in another language" },
  ]),
)
