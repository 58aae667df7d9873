import type { MergePreviewDocument } from "@inlethq/contract/people/MergePreview"
import { initialState, readRecords, rowBytesMax } from "@inlethq/wire/csv/Records"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, FileSystem, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag } from "../../flags/flags.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { printNote } from "../../output/note.ts"
import { currentScreen } from "../../output/Screen.ts"
import { drawTable, type Column } from "../../output/table.ts"
import { count } from "../../output/text.ts"
import { applyOperation } from "../../server/applyOperation.ts"
import { Connection } from "../../server/Connection.ts"
import { findPerson } from "../../server/findPerson.ts"
import { openInput, sizeOf } from "../../server/inputFile.ts"
import { onServer } from "../../server/onServer.ts"
import { printLines } from "../../server/show.ts"
import { confirmFlag, orNotConfirmed } from "../shared/confirm.ts"

/** The largest size of a file of pairs in bytes. */
const pairsFileBytesMax = 4 * 1024 * 1024

/** Two people to merge, as arguments or a line of a file name them. */
interface Pair {
  readonly primary: string
  readonly secondary: string
}

/** Reads the pairs of a CSV file: the person who stays, then the person who is merged into them. A heading is skipped. */
const pairsIn = Effect.fnUntraced(function* (file: string) {
  const wrong = (line: number, problem: string) =>
    new WrongOption({ message: cliTexts.wrongPairsFile({ file, line, problem }) })
  if ((yield* sizeOf(file)) > pairsFileBytesMax) {
    return yield* wrong(1, `the file is larger than ${count(pairsFileBytesMax)} bytes`)
  }
  const files = yield* FileSystem.FileSystem
  const chunks = yield* Stream.runCollect(openInput(files, file))
  const bytes = new Uint8Array(Buffer.concat([...chunks]))
  const options = { delimiter: ",", bytesMax: rowBytesMax(pairsFileBytesMax) } as const
  const pairs: Array<Pair> = []
  for (const record of readRecords(initialState, { bytes, isLast: true }, options).records) {
    if (record._tag === "LineFault") return yield* wrong(record.line, record.message)
    const [primary = "", secondary = "", ...rest] = record.cells.map((cell) => cell.trim())
    if (primary === "" && secondary === "") continue
    if (primary === "" || secondary === "" || rest.length > 0) {
      return yield* wrong(record.line, "a line is two people, such as ada,bob")
    }
    if (record.line > 1 || primary.toLowerCase() !== "primary") pairs.push({ primary, secondary })
  }
  return pairs
})

const bothOf = ({ primary, secondary }: Pair) => Effect.all([findPerson(primary), findPerson(secondary)])

interface Previewed extends Pair {
  readonly preview: MergePreviewDocument
}

const columns: ReadonlyArray<Column<Previewed>> = [
  { heading: "PRIMARY", text: ({ primary }) => primary, style: () => "bold", shrinks: true },
  { heading: "SECONDARY", text: ({ secondary }) => secondary, style: () => "bold", shrinks: true },
  { heading: "OUTCOME", text: ({ preview }) => preview.outcome },
  { heading: "REASON", text: ({ preview }) => preview.reason ?? "", shrinks: true, isOptional: true },
  {
    heading: "DROPPED",
    text: ({ preview }) => preview.lost.map(({ path }) => path).join(", "),
    shrinks: true,
  },
]

/** Prints what the merge of a pair would do. */
const previewPair = Effect.fnUntraced(function* (pair: Pair, isFirst: boolean) {
  const { workspace } = yield* Connection
  const client = yield* ManagementClient
  const { isWanted: json, print } = yield* JsonOutput
  const [kept, merged] = yield* bothOf(pair)
  const [preview, response] = yield* client.merges.preview({
    params: { w: workspace, svc_id: kept.svc_id },
    query: { secondary: merged.svc_id },
    responseMode: "decoded-and-response",
  })
  if (json) return yield* print(yield* response.text)
  const screen = yield* currentScreen
  const lines = drawTable(screen, columns, [{ ...pair, preview }])
  yield* printLines(screen.isTerminal && !isFirst ? lines.slice(1) : lines)
})

const mergePair = Effect.fnUntraced(function* (pair: Pair) {
  const [kept, merged] = yield* bothOf(pair)
  yield* applyOperation({
    type: "person",
    action: "merge",
    primary: { svc_id: kept.svc_id },
    secondary: { svc_id: merged.svc_id },
  })
})

const questionFor = (pairs: ReadonlyArray<Pair>): string => {
  const [only, ...others] = pairs
  return only === undefined || others.length > 0
    ? `Merge ${count(pairs.length)} pairs of people?`
    : `Merge ${only.secondary} into ${only.primary}?`
}

/** Returns the pairs that the arguments or the file name. */
const pairsOf = (
  file: Option.Option<string>,
  primary: Option.Option<string>,
  secondary: Option.Option<string>,
) => {
  if (Option.isSome(file) && Option.isNone(primary)) return pairsIn(file.value)
  return Option.isSome(primary) && Option.isSome(secondary) && Option.isNone(file)
    ? Effect.succeed([{ primary: primary.value, secondary: secondary.value }])
    : Effect.fail(new WrongOption({ message: cliTexts.pairMissing() }))
}

export const mergeCommand = Command.make(
  "merge",
  {
    primary: Argument.String("primary").pipe(
      Argument.withDescription("The person who stays"),
      Argument.optional,
    ),
    secondary: Argument.String("secondary").pipe(
      Argument.withDescription("The person who is merged into the primary, and then no longer exists"),
      Argument.optional,
    ),
    file: optionalFlag(
      Flag.String("file").pipe(Flag.withMetavar("file")),
      "Merge the pairs of this CSV file, in its order: primary,secondary in each line",
    ),
    preview: Flag.Boolean("preview").pipe(
      Flag.withDescription("Show what would be merged and which values would be dropped, and change nothing"),
      Flag.withDefault(false),
    ),
    ...confirmFlag,
  },
  Effect.fnUntraced(function* ({ file, preview, primary, secondary, yes }) {
    const pairs = yield* pairsOf(file, primary, secondary)
    if (!preview) yield* orNotConfirmed(yes, questionFor(pairs))
    let failed = 0
    for (const [index, pair] of pairs.entries()) {
      const step = preview ? previewPair(pair, index === 0) : mergePair(pair)
      if (pairs.length === 1) return yield* step
      yield* Effect.catchTag(step, "CommandFailed", ({ message }) => {
        failed++
        return printNote(`${pair.primary},${pair.secondary}: ${message}`)
      })
    }
    if (failed > 0) {
      const message = cliTexts.pairsFailed({ failed: count(failed), pairs: count(pairs.length) })
      return yield* new CommandFailed({ message })
    }
  }, onServer),
).pipe(
  Command.withDescription("Merge one person into another; the first argument is the person who remains"),
  Command.withExamples([
    { command: "inlet people merge ada ada@example.com", description: "The person ada remains" },
    {
      command: "inlet people merge --file pairs.csv --preview",
      description: "See what merging many pairs would do",
    },
  ]),
)
