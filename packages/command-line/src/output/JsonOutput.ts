import { Console, Context, Effect, Option } from "effect"
import process from "node:process"
import { CommandFailed, WrongOption } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import type { OutputFormat } from "../flags/outputFormats.ts"
import { compileJq } from "./jq.ts"
import { unprintable } from "./text.ts"

interface Flags {
  readonly json: boolean
  readonly output: Option.Option<OutputFormat>
  /** The expression of `--jq`, which implies `--json`. */
  readonly jq: Option.Option<string>
}

/** How a command prints JSON. */
export class JsonOutput extends Context.Service<
  JsonOutput,
  {
    /** True if the command prints JSON instead of text for people. */
    readonly isWanted: boolean
    /** How lists are printed: for people, as the API answers, or an item a line. */
    readonly format: "text" | "json" | "ndjson"
    /** True if `--jq` has an expression. */
    readonly isFiltered: boolean
    /**
     * Prints a JSON document as one line, or what the expression of `--jq` makes of it. On a terminal, control characters
     * in strings are escaped, which does not change the document.
     */
    print(text: string): Effect.Effect<void, CommandFailed>
  }
>()("@inlethq/command-line/output/JsonOutput") {
  /** Fails if the expression of `--jq` is wrong, before the command has sent anything. */
  static readonly make = Effect.fnUntraced(function* ({ jq, json, output }: Flags) {
    const asked = Option.getOrElse(output, () => (json || Option.isSome(jq) ? "json" : "table"))
    if (asked === "table" && (json || Option.isSome(jq))) {
      return yield* new WrongOption({ message: cliTexts.tableOfJson() })
    }
    const format = asked === "table" ? "text" : asked
    if (Option.isNone(jq)) {
      return JsonOutput.of({
        isWanted: format !== "text",
        format,
        isFiltered: false,
        print: (text) => Effect.suspend(() => Console.log(shown(text.trimEnd()))),
      })
    }
    const filter = yield* Effect.mapError(
      compileJq(jq.value),
      ({ problem }) => new WrongOption({ message: cliTexts.wrongJq({ problem }) }),
    )
    return JsonOutput.of({
      isWanted: true,
      format,
      isFiltered: true,
      print: Effect.fnUntraced(function* (text) {
        const { output, problem } = filter(text)
        if (output !== "") yield* Console.log(shown(output))
        if (problem !== undefined)
          return yield* new CommandFailed({ message: cliTexts.jqFailed({ problem }) })
      }),
    })
  })
}

const shown = (text: string): string => (process.stdout.isTTY === true ? escaped(text) : text)

/** Escapes the control characters that JSON may contain, as `\u009b`. */
export const escaped = (json: string): string =>
  json.replaceAll(unprintable, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
