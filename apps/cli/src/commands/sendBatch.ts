import { Clock, Console, Effect, FileSystem, Option, Ref, Schema, Stdio, Stream } from "effect"
import { cliTexts } from "../cliTexts.ts"
import { inlet } from "../inlet.ts"
import { count } from "../output/text.ts"
import { clearProgress, showProgress } from "../progressBar.ts"
import { WrongOption } from "../server/Connection.ts"
import { CommandFailed } from "../server/onServer.ts"
import { callIngestion, orRefused } from "../wire/callIngestion.ts"

/** Entities and characters of one request. The wire allows more, but smaller requests show progress. */
const entitiesPerBatch = 500
const charactersPerBatch = 256 * 1024

/** Characters of a line. The wire refuses entities of half this size. */
const lineCharactersMax = 64 * 1024

/** Errors that are printed. */
const errorsShownMax = 100

/** A line of the file: its number, its JSON and its length. */
interface Line {
  readonly number: number
  readonly entity: Schema.Json
  readonly characters: number
}

interface Tally {
  readonly lines: number
  readonly failed: number
  readonly characters: number
}

const BatchAnswer = Schema.fromJsonString(
  Schema.Struct({
    errors: Schema.optionalKey(
      Schema.Array(Schema.Struct({ batch_index: Schema.Int, field: Schema.String, message: Schema.String })),
    ),
  }),
)

/** Sends a file of entities in batches. Prints the errors of refused entities by line, and fails if there are any. */
export const sendBatch = Effect.fnUntraced(function* (file: string) {
  const { json } = yield* inlet
  const tally = yield* Ref.make<Tally>({ lines: 0, failed: 0, characters: 0 })
  const started = yield* Clock.currentTimeMillis
  const total = file === "-" ? Option.none<number>() : yield* sizeOf(file)
  yield* readLines(file).pipe(
    Stream.grouped(entitiesPerBatch),
    Stream.flatMap((lines) => Stream.fromIterable(batchesOf(lines))),
    Stream.runForEach((lines) => sendLines(lines, tally, total, json)),
    Effect.tapError(() => reportInterruption(tally)),
    Effect.ensuring(clearProgress),
  )
  const { failed, lines } = yield* Ref.get(tally)
  const seconds = ((yield* Clock.currentTimeMillis) - started) / 1000
  if (!json) {
    yield* Console.log(
      `${count(lines - failed)} accepted, ${count(failed)} refused in ${seconds.toFixed(1)} s`,
    )
  }
  if (failed > 0)
    return yield* new CommandFailed({ message: cliTexts.itemsRefused({ count: count(failed) }) })
})

const sizeOf = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const { size } = yield* Effect.mapError(
    files.stat(file),
    () => new WrongOption({ message: cliTexts.fileNotFound({ file }) }),
  )
  return Option.some(Number(size))
})

const readLines = (file: string) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const { stdin } = yield* Stdio.Stdio
      return file === "-" ? stdin : files.stream(file)
    }),
  ).pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.zipWithIndex,
    Stream.filter(([text]) => text.trim() !== ""),
    Stream.mapEffect(([text, index]) => parseLine(text, index + 1)),
  )

const parseJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

const parseLine = Effect.fnUntraced(function* (text: string, number: number) {
  const wrong = () => new CommandFailed({ message: cliTexts.wrongLine({ line: number }) })
  if (text.length > lineCharactersMax) return yield* wrong()
  const line: Line = {
    number,
    entity: yield* Effect.mapError(parseJson(text), wrong),
    characters: text.length,
  }
  return line
})

const charactersOf = (lines: ReadonlyArray<Line>): number =>
  lines.reduce((sum, { characters }) => sum + characters, 0)

/** Splits lines into batches within `charactersPerBatch`. */
const batchesOf = (lines: ReadonlyArray<Line>): ReadonlyArray<ReadonlyArray<Line>> => {
  const batches: Array<Array<Line>> = []
  let room = 0
  for (const line of lines) {
    const batch = batches.at(-1)
    if (batch !== undefined && line.characters <= room) batch.push(line)
    else {
      batches.push([line])
      room = charactersPerBatch
    }
    room -= line.characters
  }
  return batches
}

const sendLines = Effect.fnUntraced(function* (
  lines: ReadonlyArray<Line>,
  tally: Ref.Ref<Tally>,
  total: Option.Option<number>,
  json: boolean,
) {
  const answer = yield* callIngestion({
    kind: "track",
    method: "POST",
    path: "/api/v2/batch",
    body: { batch: lines.map(({ entity }) => entity) },
  })
  const { errors } = yield* Schema.decodeUnknownEffect(BatchAnswer)(answer.text)
  if (errors === undefined) yield* orRefused(answer)
  if (json) yield* Console.log(answer.text)
  const failed = new Set((errors ?? []).map(({ batch_index }) => batch_index)).size
  const before = yield* Ref.get(tally)
  const shown = json ? [] : (errors ?? []).slice(0, Math.max(0, errorsShownMax - before.failed))
  if (shown.length > 0) yield* clearProgress
  for (const { batch_index, field, message } of shown) {
    const problem = field === "" ? message : `${field}: ${message}`
    yield* Console.error(`line ${lines[batch_index]?.number ?? 0}: ${problem}`)
  }
  const after = yield* Ref.updateAndGet(tally, (sum) => ({
    lines: sum.lines + lines.length,
    failed: sum.failed + failed,
    characters: sum.characters + charactersOf(lines) + lines.length,
  }))
  if (Option.isSome(total)) {
    yield* showProgress({ done: after.characters, total: total.value, label: `${count(after.lines)} items` })
  }
})

/** Says how much was sent before an error, because the lines before it were applied. */
const reportInterruption = Effect.fnUntraced(function* (tally: Ref.Ref<Tally>) {
  const { lines } = yield* Ref.get(tally)
  if (lines === 0) return
  yield* clearProgress
  yield* Console.error(`${count(lines)} items were sent before the error`)
})
