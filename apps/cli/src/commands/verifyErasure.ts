import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../commandErrors.ts"
import { cliTexts } from "../cliTexts.ts"
import { optionalFlag } from "../flags.ts"
import { JsonOutput } from "../output/JsonOutput.ts"
import { dataDirectory } from "../server/Connection.ts"

const many = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.atLeast(0))

export const verifyCommand = Command.make(
  "verify",
  {
    receipt: Argument.String("receipt").pipe(
      Argument.withDescription("The file receipt.json of `inlet erasure get --out`, beside receipt.sig"),
    ),
    identifier: many("identifier", "text", "An id or email that the person had; repeat it for several"),
    dataDir: optionalFlag(
      Flag.String("data-dir").pipe(Flag.withMetavar("directory")),
      "Data directory of the server (INLET_DATA_DIR; default: .inlet)",
    ),
    in: many("in", "path", "Also search this file or directory, such as a backup; repeat it for several"),
  },
  Effect.fnUntraced(function* ({ dataDir, identifier, in: others, receipt }) {
    const { isWanted, print } = yield* JsonOutput
    const { verifyErasure } = yield* Effect.promise(() => import("@inlet/runtime/transfer/verifyErasure"))
    const directory = Option.getOrElse(dataDir, dataDirectory)
    const { about, bytes, files, places } = yield* verifyErasure({
      receipt,
      identifiers: identifier,
      directory,
      others,
    })
    if (isWanted) yield* print(JSON.stringify({ signature: "valid", about, files, bytes, places }))
    else {
      yield* Console.log(`The signature of ${receipt} is valid.`)
      for (const { isAbout, text } of about) {
        yield* Console.log(`The receipt is ${isAbout ? "" : "not "}about ${text}.`)
      }
      for (const { file, form, offset } of places) yield* Console.log(`${file}: byte ${offset}, ${form}`)
      yield* Console.log(`Searched ${files} files (${bytes} bytes): ${places.length} places`)
    }
    if (places.length > 0) return yield* new CommandFailed({ message: cliTexts.notErased() })
  }),
).pipe(
  Command.withDescription(
    "Check the signature of a receipt, and search the files of a data directory and named backups for what is left of the person",
  ),
  Command.withExamples([
    {
      command: "inlet erasure verify receipt/receipt.json --identifier ada@example.com --in inlet.backup",
      description: "Search the data directory and a backup",
    },
  ]),
)
