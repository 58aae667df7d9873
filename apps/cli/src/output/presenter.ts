import { Console, Effect } from "effect"
import { CliOutput } from "effect/cli"
import { cliTexts } from "../cliTexts.ts"
import { printable } from "./text.ts"

/** Prints the first error of the command line to standard error, with the usage but without the whole help. */
export const presenter: CliOutput.Presenter = {
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const { commandPath, errors, helpDoc } = event
    return Effect.forEach(
      [
        ...errors.slice(0, 1).map(({ message }) => `inlet: ${onOneLine(message)}`),
        `Usage: ${helpDoc.usage}`,
        `Run '${commandPath.join(" ")} --help' for options and examples.`,
      ],
      (line) => Console.error(printable(line)),
      { discard: true },
    )
  },
}

/**
 * Formats an error message of the command line as one line, with its suggestions. Removes phrases of Effect's modules
 * that do not help the user.
 */
const onOneLine = (message: string): string => {
  const [, file, fault] = unreadableFile.exec(message) ?? []
  if (file !== undefined) {
    const problem = fault === "does not exist" ? "it does not exist" : "it is a directory"
    return cliTexts.fileNotFound({ file, problem })
  }
  return message
    .replace(/\s*Did you mean this\?\s*/, "; did you mean: ")
    .replace(/^Unrecognized flag: -[^-].*/s, "$&; put -- before arguments that begin with a dash")
    .replace(/Expected: (Schema validation failed: |Invalid key=value format\. )/, "")
    .replaceAll(/\s+/g, " ")
}

const unreadableFile = /^Invalid value for .*: "(.*)"\. Expected: Path (does not exist|is not a file): /
