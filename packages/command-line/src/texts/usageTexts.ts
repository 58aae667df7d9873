import { errorText } from "@inlethq/core/log/ErrorText"
import type { CliError } from "effect/cli"
import { cliTexts } from "./cliTexts.ts"

/** The texts of errors in the form of a command line. A value that begins with a dash needs `--` before it. */
export const usageTexts = {
  unknownCommand: errorText(
    'Unknown subcommand "{name}" for "{command}"{advice}',
    "Correct the command. The message suggests similar names.",
  ),
  unknownFlag: errorText(
    "Unrecognized flag: {flag} in command {command}{advice}",
    "Correct the option, or put `--` before arguments that begin with a dash.",
  ),
  searchOrFilter: errorText(
    "--search and --filter do not go together",
    "Leave one of them out. A filter finds words in an id, an email or a name too.",
  ),
  searchEverywhere: errorText(
    "--all-workspaces does not go together with --kind and --limit",
    "Leave them out. A search in all workspaces finds what the text names in full.",
  ),
  missingFlag: errorText("Missing required flag: --{name}", "Add the option."),
  missingArgument: errorText("Missing required argument: {name}", "Add the argument."),
  unexpectedArguments: errorText(
    "Unexpected positional {arguments}",
    "Remove the argument, or put quotes around an argument with spaces.",
  ),
  missingValue: errorText("Missing value for flag --{name}. {expected}", "Add the value."),
  wrongFlag: errorText('Invalid value for flag --{name}: "{value}". {expected}', "Correct the value."),
  wrongArgument: errorText(
    'Invalid value for argument <{name}>: "{value}". {expected}',
    "Correct the argument.",
  ),
}

/** Returns the message for an error in the form of a command line. */
export const usageMessage = (error: CliError.CliError): string => {
  switch (error._tag) {
    case "UnknownSubcommand":
      return usageTexts.unknownCommand({
        name: error.subcommand,
        command: (error.parent ?? []).join(" "),
        advice: similar(error.suggestions),
      })
    case "UnrecognizedOption":
      return usageTexts.unknownFlag({
        flag: error.option,
        command: (error.command ?? []).join(" "),
        advice: similar(error.suggestions) + (/^-[^-]/.test(error.option) ? dashAdvice : ""),
      })
    case "MissingOption":
      return usageTexts.missingFlag({ name: error.option })
    case "MissingArgument":
      return usageTexts.missingArgument({ name: error.argument })
    case "UnexpectedArgument": {
      const shown = error.arguments.map((value) => JSON.stringify(value)).join(", ")
      return usageTexts.unexpectedArguments({
        arguments: `argument${error.arguments.length === 1 ? "" : "s"}: ${shown}`,
      })
    }
    case "InvalidValue":
      return wrongValue(error)
    case "DuplicateOption":
    case "ValidationError":
    case "UserError":
    case "ShowHelp":
      return error.message
  }
}

const similar = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "" : `; did you mean: ${names.join(", ")}`

const dashAdvice = "; put -- before arguments that begin with a dash"

const unreadableFile = /^Path (does not exist|is not a file): /

const wrongValue = ({ expected: given, kind, option: name, value }: CliError.InvalidValue): string => {
  const fault = unreadableFile.exec(given)?.[1]
  if (fault !== undefined) {
    const problem = fault === "does not exist" ? "it does not exist" : "it is a directory"
    return cliTexts.fileNotFound({ file: value, problem })
  }
  // Removes phrases of Effect's modules that do not help the user.
  const text = given.replace(/^(Schema validation failed: |Invalid key=value format\. )/, "")
  const expected = text !== given || /^Expected[ :]/.test(text) ? text : `Expected: ${text}`
  if (kind === "argument") return usageTexts.wrongArgument({ name, value, expected })
  return value === ""
    ? usageTexts.missingValue({ name, expected })
    : usageTexts.wrongFlag({ name, value, expected })
}
