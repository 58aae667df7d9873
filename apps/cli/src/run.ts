import "effect/schema/SchemaJITCompiler/enable"
import { NodeServices } from "@effect/platform-node"
import { runAsProcess } from "@inlet/server/runAsProcess"
import { Data, Effect, Runtime } from "effect"
import { CliError, Command } from "effect/cli"
import manifest from "../package.json" with { type: "json" }
import { importCommand } from "./import.ts"
import { serveCommand } from "./serve.ts"

const inlet = Command.make("inlet").pipe(
  Command.withDescription("Self-hosted customer-data ingestion for the Track and Pipelines APIs"),
  Command.withSubcommands([serveCommand, importCommand]),
)

/** The command line is invalid. The errors have already been printed. The command exits with code 2. */
class WrongUsage extends Data.TaggedError("WrongUsage") {
  override readonly [Runtime.errorExitCode] = 2
}

const program = Command.run(inlet, { version: manifest.version }).pipe(
  Effect.catchIf(CliError.isCliError, (error) =>
    error._tag === "ShowHelp" && error.errors.length === 0 ? Effect.void : Effect.fail(new WrongUsage()),
  ),
  Effect.provide(NodeServices.layer),
)

runAsProcess(program)
