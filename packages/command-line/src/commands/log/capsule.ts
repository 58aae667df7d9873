import { decideCapsule, isSameVerdict, readCapsule, type Verdict } from "@inlethq/log/trial/Capsule"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Option, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { Connection } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { readText } from "../../server/readText.ts"
import { printLines } from "../../server/show.ts"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { whatIfTexts } from "../../texts/whatIfTexts.ts"

/** The most characters of a capsule that is read. */
const capsuleCharactersMax = 16 * 1024 * 1024

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Json))

const run = Command.make(
  "run",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("What inlet capsule OPERATION_ID printed, - for standard input"),
    ),
  },
  Effect.fnUntraced(function* ({ file }) {
    const text = Option.getOrUndefined(decodeJson(yield* readText(file, capsuleCharactersMax)))
    const capsule = readCapsule(text)
    if (capsule === undefined) return yield* new WrongOption({ message: whatIfTexts.noCapsule({ file }) })
    const decided = decideCapsule(capsule)
    const same = isSameVerdict(decided, capsule.expected)
    const { isWanted, print } = yield* JsonOutput
    yield* isWanted
      ? print(JSON.stringify({ decided, expected: capsule.expected, same }))
      : printLines([
          `decided   ${verdictText(decided)}`,
          `recorded  ${verdictText(capsule.expected)} by ${capsule.version}`,
        ])
    if (!same) return yield* new CommandFailed({ message: whatIfTexts.capsuleDiffers() })
  }),
).pipe(
  Command.withDescription("Decide a capsule with this version; ends with 1 if the decision is another one"),
  Command.withExamples([{ command: "inlet capsule run capsule.json", description: "Needs no server" }]),
)

const verdictText = (verdict: Verdict | null): string => {
  if (verdict === null) return "nothing"
  const { codes, outcome, rule } = verdict
  return `${outcome} (${[rule, ...codes].filter((one) => one !== null).join(", ")})`
}

export const capsuleCommand = Command.make(
  "capsule",
  {
    operation: Argument.String("operation_id").pipe(
      Argument.withDescription("The operation whose decision is packed"),
      Argument.optional,
    ),
  },
  Effect.fnUntraced(function* ({ operation }) {
    if (Option.isNone(operation)) return yield* new WrongOption({ message: whatIfTexts.noOperation() })
    const { workspace: w } = yield* Connection
    const client = yield* ManagementClient
    const capsule = yield* client.activity.capsule({ params: { w, operation_id: operation.value.trim() } })
    const { isWanted, print } = yield* JsonOutput
    yield* isWanted ? print(JSON.stringify(capsule)) : printLines([JSON.stringify(capsule, null, 2)])
  }, onServer),
).pipe(
  Command.withDescription(
    "Print one decision as a file that anybody can decide again: identifiers and values are replaced",
  ),
  Command.withExamples([
    { command: "inlet capsule op11000000002 > capsule.json", description: "For a bug report" },
  ]),
  Command.withSubcommands([run]),
)
