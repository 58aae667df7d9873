import { hasColour } from "@inlethq/runtime/colour"
import { Data, Effect, Layer, Runtime } from "effect"
import { CliConfig, CliError, CliOutput, Command } from "effect/cli"
import manifest from "../package.json" with { type: "json" }
import { builtIns } from "./builtIns.ts"
import { commands } from "./commands.ts"
import { presenter } from "./output/presenter.ts"
import { printable } from "./output/text.ts"
import { withFlagsForWords } from "./texts/words.ts"

/** The error for an invalid command line. The error has already been printed. The command exits with code 2. */
class WrongUsage extends Data.TaggedError("WrongUsage") {
  override readonly [Runtime.errorExitCode] = 2
}

const run = Command.runWith(commands, { version: manifest.version })

/** The `inlet` command with these arguments. It prints to the `Console` and `Stdio` that it is provided with. */
export const program = (args: ReadonlyArray<string>) =>
  run(withFlagsForWords(args)).pipe(
    Effect.catchIf(CliError.isCliError, (error) =>
      error._tag === "ShowHelp" && error.errors.length === 0 ? Effect.void : Effect.fail(new WrongUsage()),
    ),
    Effect.provide(
      Layer.mergeAll(
        CliConfig.layer({ builtIns }),
        CliOutput.layer(
          CliOutput.defaultFormatter({ globalFlags: "summary", colors: hasColour(process.stdout) }),
        ),
        CliOutput.layerPresenter(presenter),
      ),
    ),
  )

/** Escapes control characters in the message of an error, line by line. */
export const printableLines = (text: string): string => text.split("\n").map(printable).join("\n")
