import { Clock, Console, Effect, FileSystem, Option, Ref, Schema, Stdio, Stream } from "effect"
import { CommandFailed } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { drawLineErrors } from "../../output/lineErrors.ts"
import { count } from "../../output/text.ts"
import { clearProgress, paceOf, showProgress } from "../../output/progressBar.ts"
import { fileProblem } from "../../server/fileProblem.ts"
import { sizeOf, standardInput, unreadable } from "../../server/inputFile.ts"
import { openIngestion, orRefused, type Ingestion } from "../../wire/callIngestion.ts"

/** The largest number of entities in one request. */
const entitiesPerBatch = 2000

/** The largest number of bytes of entities in one request. The server accepts requests of up to 500 KB. */
const bytesPerBatch = 400 * 1024

/** The largest number of bytes in a line of the file: twice the server's default limit of 32 KB for an entity. */
const lineBytesMax = 64 * 1024

/** The largest number of errors that `inlet send batch` prints. */
const errorsShownMax = 100

/** A line of the file: its number, its JSON and its size. */
interface Line {
  readonly number: number
  readonly entity: Schema.Json
  readonly bytes: number
}

/** The numbers of entities that were sent so far, by result. */
interface Tally {
  readonly items: number
  readonly failed: number
  readonly bytes: number
  /** The number of the last line that the server has acknowledged. */
  readonly lastLine: number
}

/** The state of sending one file. */
interface BatchRun {
  readonly tally: Ref.Ref<Tally>
  readonly startedAt: number
  /** The size of the file in bytes. The option is empty for standard input. */
  readonly total: Option.Option<number>
  readonly json: JsonOutput["Service"]
}

const BatchAnswer = Schema.fromJsonString(
  Schema.Struct({
    errors: Schema.optionalKey(
      Schema.Array(Schema.Struct({ batch_index: Schema.Int, field: Schema.String, message: Schema.String })),
    ),
  }),
)

/**
 * Sends a file of entities in batches, starting at line number `from`. Prints the errors of refused entities by line,
 * and fails if the server refused an entity.
 */
export const sendBatch = Effect.fnUntraced(function* (file: string, from: number) {
  const json = yield* JsonOutput
  const run: BatchRun = {
    tally: yield* Ref.make<Tally>({ items: 0, failed: 0, bytes: 0, lastLine: 0 }),
    startedAt: yield* Clock.currentTimeMillis,
    total: file === standardInput ? Option.none<number>() : Option.some(yield* sizeOf(file)),
    json,
  }
  yield* sendFile(run, file, from).pipe(
    Effect.ensuring(clearProgress),
    Effect.tapError(() => reportRest(run)),
    Effect.onInterrupt(() => reportInterruption(run)),
  )
  const { failed, items } = yield* Ref.get(run.tally)
  const seconds = ((yield* Clock.currentTimeMillis) - run.startedAt) / 1000
  if (!json.isWanted) {
    const counts = `${count(items - failed)} accepted, ${count(failed)} refused`
    yield* Console.log(`${counts} in ${seconds.toFixed(1)} s`)
  }
  if (failed > 0)
    return yield* new CommandFailed({ message: cliTexts.itemsRefused({ count: count(failed) }) })
})

const sendFile = Effect.fnUntraced(function* (run: BatchRun, file: string, from: number) {
  const send = yield* openIngestion("track")
  yield* readLines(file, from).pipe(
    Stream.grouped(entitiesPerBatch),
    Stream.flatMap((lines) => Stream.fromIterable(batchesOf(lines))),
    Stream.runForEach((lines) => sendLines(run, send, lines)),
  )
})

const readLines = (file: string, from: number) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const { stdin } = yield* Stdio.Stdio
      return file === standardInput ? stdin : files.stream(file)
    }),
  ).pipe(
    Stream.mapError(fileProblem),
    Stream.mapError(unreadable(file)),
    Stream.decodeText,
    Stream.splitLines,
    Stream.zipWithIndex,
    Stream.filter(([text, index]) => index + 1 >= from && text.trim() !== ""),
    Stream.mapEffect(([text, index]) => parseLine(text, index + 1)),
  )

const parseJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

const parseLine = Effect.fnUntraced(function* (text: string, number: number) {
  const wrong = () => new CommandFailed({ message: cliTexts.wrongLine({ line: number }) })
  const bytes = Buffer.byteLength(text)
  if (bytes > lineBytesMax) return yield* wrong()
  const line: Line = {
    number,
    entity: yield* Effect.mapError(parseJson(text), wrong),
    bytes,
  }
  return line
})

const bytesOf = (lines: ReadonlyArray<Line>): number => lines.reduce((sum, { bytes }) => sum + bytes, 0)

/** Splits lines into batches. No batch has more bytes than `bytesPerBatch`. */
const batchesOf = (lines: ReadonlyArray<Line>): ReadonlyArray<ReadonlyArray<Line>> => {
  const batches: Array<Array<Line>> = []
  let room = 0
  for (const line of lines) {
    const batch = batches.at(-1)
    if (batch !== undefined && line.bytes <= room) batch.push(line)
    else {
      batches.push([line])
      room = bytesPerBatch
    }
    room -= line.bytes
  }
  return batches
}

const sendLines = Effect.fnUntraced(function* (run: BatchRun, send: Ingestion, lines: ReadonlyArray<Line>) {
  const answer = yield* send({
    method: "POST",
    path: "/api/v2/batch",
    body: { batch: lines.map(({ entity }) => entity) },
  })
  const { errors = [] } = yield* Schema.decodeUnknownEffect(BatchAnswer)(answer.text)
  if (errors.length === 0) yield* orRefused(answer)
  const { failed } = yield* Ref.get(run.tally)
  const after = yield* Ref.updateAndGet(run.tally, (sum) => ({
    items: sum.items + lines.length,
    failed: sum.failed + new Set(errors.map(({ batch_index }) => batch_index)).size,
    bytes: sum.bytes + bytesOf(lines) + lines.length,
    lastLine: lines.at(-1)?.number ?? sum.lastLine,
  }))
  if (run.json.isWanted) yield* run.json.print(answer.text)
  else yield* printErrors(lines, errors.slice(0, Math.max(0, errorsShownMax - failed)))
  if (Option.isNone(run.total)) return
  const elapsedMs = (yield* Clock.currentTimeMillis) - run.startedAt
  const progress = { done: after.bytes, total: run.total.value }
  const pace = paceOf({ ...progress, items: after.items, elapsedMs })
  yield* showProgress({ ...progress, label: `${count(after.items)} items ${pace}` })
})

const printErrors = Effect.fnUntraced(function* (
  lines: ReadonlyArray<Line>,
  errors: ReadonlyArray<{ readonly batch_index: number; readonly field: string; readonly message: string }>,
) {
  if (errors.length === 0) return
  yield* clearProgress
  const drawn = drawLineErrors(
    errors.map(({ batch_index, field, message }) => ({
      line: lines[batch_index]?.number ?? 0,
      message: field === "" ? message : `${field}: ${message}`,
    })),
  )
  for (const line of drawn) yield* Console.error(line)
})

/** Prints which lines the server has acknowledged before an error, and how to send the remaining lines. */
const reportRest = Effect.fnUntraced(function* ({ tally }: BatchRun) {
  const { items, lastLine } = yield* Ref.get(tally)
  if (items > 0) yield* Console.error(`inlet: ${unfinished(lastLine)}`)
})

/** Prints, after Ctrl-C, which lines the server has acknowledged, and how to send the remaining lines. */
const reportInterruption = Effect.fnUntraced(function* ({ tally }: BatchRun) {
  const { items, lastLine } = yield* Ref.get(tally)
  yield* Console.error(`inlet: interrupted; ${items > 0 ? unfinished(lastLine) : cliTexts.batchNotBegun()}`)
})

const unfinished = (last: number): string => cliTexts.batchUnfinished({ last, next: last + 1 })
