import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag } from "../../flags/flags.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { printable } from "../../output/text.ts"
import { dataDirectory } from "../../server/Connection.ts"

const many = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.atLeast(0))

/** What the command cannot do without a data directory. */
const unseen = [
  "It was checked with key.pem beside it. Compare that with the key that the server publishes.",
  "Whom the receipt is about cannot be checked, because the digest key is in the database.",
  "The database was not searched: no row of the person is left in a sealed erasure, but dead rows are, until PostgreSQL vacuums and reuses their space, and so is its write-ahead log.",
]

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
    postgres: Flag.Boolean("postgres").pipe(
      Flag.withDescription(
        "The server uses PostgreSQL, so there is no data directory: check the signature with key.pem beside the receipt, and search only what --in names",
      ),
      Flag.withDefault(false),
    ),
    in: many("in", "path", "Also search this file or directory, such as a backup; repeat it for several"),
  },
  Effect.fnUntraced(function* ({ dataDir, identifier, in: others, postgres: isPostgres, receipt }) {
    const { isWanted, print } = yield* JsonOutput
    const { verifyErasure } = yield* Effect.promise(() => import("@inlethq/runtime/transfer/verifyErasure"))
    if (isPostgres && Option.isSome(dataDir)) {
      return yield* new WrongOption({ message: cliTexts.noDirectoryOfPostgres() })
    }
    const directory = isPostgres ? null : Option.getOrElse(dataDir, dataDirectory)
    const { about, bytes, files, notCovered, places } = yield* verifyErasure({
      receipt,
      identifiers: identifier,
      directory,
      others,
    })
    if (isWanted) {
      const key = directory === null ? "key.pem" : "data directory"
      yield* print(
        JSON.stringify({ signature: "valid", key, about, files, bytes, places, not_searched: notCovered }),
      )
    } else {
      yield* Console.log(`The signature of ${receipt} is valid.`)
      if (directory === null) for (const line of unseen) yield* Console.log(line)
      for (const { isAbout, text } of about) {
        if (isAbout !== null) yield* Console.log(`The receipt is ${isAbout ? "" : "not "}about ${text}.`)
      }
      for (const { file, form, offset } of places) yield* Console.log(`${file}: byte ${offset}, ${form}`)
      yield* Console.log(`Searched ${files} files (${bytes} bytes): ${places.length} places`)
      for (const place of notCovered) {
        yield* Console.log(printable(`Not searched, unless --in names it: ${place}`))
      }
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
    {
      command:
        "inlet erasure verify receipt/receipt.json --identifier ada@example.com --postgres --in inlet.dump",
      description: "With PostgreSQL: search a dump",
    },
  ]),
)
