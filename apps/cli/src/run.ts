import "effect/schema/SchemaJITCompiler/enable"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { hasColour } from "@inlet/runtime/colour"
import { runAsProcess } from "@inlet/runtime/runAsProcess"
import { Data, Effect, Layer, Runtime } from "effect"
import { CliConfig, CliError, CliOutput, Command } from "effect/cli"
import manifest from "../package.json" with { type: "json" }
import { builtIns } from "./builtIns.ts"
import { commands } from "./commands.ts"
import { failWhenInterrupted } from "./interruption.ts"
import { exitOnOutputError } from "./output/outputErrors.ts"
import { presenter } from "./output/presenter.ts"
import { printable } from "./output/text.ts"
import { withFlagsForWords } from "./words.ts"

/** The error for an invalid command line. The error has already been printed. The command exits with code 2. */
class WrongUsage extends Data.TaggedError("WrongUsage") {
  override readonly [Runtime.errorExitCode] = 2
}

const run = Command.runWith(commands, { version: manifest.version })

const program = run(withFlagsForWords(process.argv.slice(2))).pipe(
  Effect.catchIf(CliError.isCliError, (error) =>
    error._tag === "ShowHelp" && error.errors.length === 0 ? Effect.void : Effect.fail(new WrongUsage()),
  ),
  Effect.provide(
    Layer.mergeAll(
      NodeServices.layer,
      CliConfig.layer({ builtIns }),
      CliOutput.layer(
        CliOutput.defaultFormatter({ globalFlags: "summary", colors: hasColour(process.stdout) }),
      ),
      CliOutput.layerPresenter(presenter),
    ),
  ),
)

exitOnOutputError()
runAsProcess(failWhenInterrupted(program), (text) => text.split("\n").map(printable).join("\n"))
