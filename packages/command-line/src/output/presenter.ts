import { Console, Effect } from "effect"
import { CliOutput } from "effect/cli"
import { usageMessage } from "../texts/usageTexts.ts"
import { printable } from "./text.ts"

/** Prints the first error of the command line to standard error, with the usage but without the whole help. */
export const presenter: CliOutput.Presenter = {
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const { commandPath, errors, helpDoc } = event
    return Effect.forEach(
      [
        ...errors.slice(0, 1).map((error) => `inlet: ${usageMessage(error).replaceAll(/\s+/g, " ")}`),
        `Usage: ${helpDoc.usage}`,
        `Run '${commandPath.join(" ")} --help' for options and examples.`,
      ],
      (line) => Console.error(printable(line)),
      { discard: true },
    )
  },
}
