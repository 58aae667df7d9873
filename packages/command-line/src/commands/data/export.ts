import type { ExportKind } from "@inlethq/contract/transfer/Exports"
import { managementTexts } from "@inlethq/contract/values/managementTexts"
import { exportBytes } from "@inlethq/sdk/management/Exports"
import { readTime } from "@inlethq/core/values/Timestamp"
import { Clock, Console, Effect, FileSystem, Option, type PlatformError, Stdio, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { timeFlag } from "../../flags/flags.ts"
import { orInterrupted } from "../../server/interruption.ts"
import { escaped, JsonOutput } from "../../output/JsonOutput.ts"
import { count as counted, printable } from "../../output/text.ts"
import { clearProgress, rateOf, showProgressLine } from "../../output/progressBar.ts"
import { Connection } from "../../server/Connection.ts"
import { outputTarget } from "../../output/outputTarget.ts"
import { fileProblem } from "../../server/fileProblem.ts"
import { onServer } from "../../server/onServer.ts"

/** The shortest time between two updates of the progress bar, in milliseconds. */
const progressMs = 100

/** The file permissions of an export. Only its owner may read it, because it contains personal data. */
const ownerOnly = 0o600

const output = Flag.String("output").pipe(
  Flag.withDescription("File to write; without it, the export goes to standard output"),
  Flag.optional,
)

/** The flags of a period. */
const period = {
  since: timeFlag("since", "Only entries received at this time or later, in ISO 8601"),
  until: timeFlag("until", "Only entries received before this time, in ISO 8601"),
}

interface Options {
  readonly output: Option.Option<string>
  readonly since: Option.Option<string>
  readonly until: Option.Option<string>
}

/** Exports a workspace to standard output or to a file. */
const runExport = Effect.fnUntraced(function* (kind: ExportKind, { output, since, until }: Options) {
  const { workspace } = yield* Connection
  const period = { since: Option.getOrUndefined(since), until: Option.getOrUndefined(until) }
  yield* expectPeriod(period.since, period.until)
  yield* writeExport(kind, exportBytes({ kind, workspace, ...period }), output)
}, onServer)

/**
 * Writes the lines of an export to standard output or to a file, which appears only after the export is complete. `noun`
 * says what they are.
 */
export const writeExport = Effect.fnUntraced(function* <E, R>(
  noun: string,
  exported: Stream.Stream<Uint8Array, E, R>,
  output: Option.Option<string>,
) {
  const json = yield* JsonOutput
  const stdio = yield* Stdio.Stdio
  const started = yield* Clock.currentTimeMillis
  let lines = 0
  let shownAt = started
  const bytes = exported.pipe(
    Stream.tap(
      Effect.fnUntraced(function* (chunk) {
        lines += linesIn(chunk)
        const now = yield* Clock.currentTimeMillis
        if (now - shownAt < progressMs) return
        shownAt = now
        yield* showProgressLine(rateOf(lines, noun, now - started))
      }),
    ),
  )
  yield* Effect.gen(function* () {
    if (Option.isSome(output)) return yield* writeOutput(output.value, bytes)
    if (json.isFiltered) return yield* Stream.runForEach(documentsIn(bytes), json.print)
    return yield* Stream.run(process.stdout.isTTY === true ? escapedLines(bytes) : bytes, stdio.stdout())
  }).pipe(
    Effect.ensuring(clearProgress),
    orInterrupted(managementTexts.exportInterrupted({ problem: "the command was interrupted" })),
  )
  if (Option.isNone(output)) return
  const count = lines - 1
  const seconds = ((yield* Clock.currentTimeMillis) - started) / 1000
  if (json.isWanted) return yield* json.print(JSON.stringify({ file: output.value, count }))
  yield* Console.log(
    printable(`${counted(count)} ${noun} exported to ${output.value} in ${seconds.toFixed(1)} s`),
  )
})

/** The largest number of documents that jq gets at once. */
const filteredMax = 500

/** Returns the lines of an export in groups, which are cheaper to filter than single lines. */
const documentsIn = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) =>
  bytes.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.grouped(filteredMax),
    Stream.map((lines) => lines.join("\n")),
  )

/** Escapes control characters in an export that a terminal shows. */
const escapedLines = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) =>
  bytes.pipe(Stream.decodeText, Stream.map(escaped), Stream.encodeText)

/** Fails if a period ends before it begins. */
export const expectPeriod = (since = "", until = ""): Effect.Effect<void, WrongOption> =>
  (readTime(since) ?? 0) > (readTime(until) ?? Infinity)
    ? Effect.fail(new WrongOption({ message: cliTexts.emptyPeriod({ since, until }) }))
    : Effect.void

const newline = 10

const linesIn = (chunk: Uint8Array): number => {
  let lines = 0
  for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines++
  return lines
}

/** Writes a stream into a pipe or a device, or replaces a file once the stream has ended without an error. */
const writeOutput = <E, R>(file: string, bytes: Stream.Stream<Uint8Array, E, R>) =>
  Effect.gen(function* () {
    const target = outputTarget(file)
    switch (target._tag) {
      case "File":
        return yield* writeWhole(target.path, bytes)
      case "Stream":
        return yield* writeInto(file, bytes)
      case "Refused":
        return yield* new CommandFailed({ message: cliTexts.outputRefused({ file }) })
    }
  })

const unwritableTo = (file: string) => (error: PlatformError.PlatformError) =>
  new CommandFailed({ message: cliTexts.fileNotWritten({ file, problem: fileProblem(error) }) })

const writeInto = <E, R>(file: string, bytes: Stream.Stream<Uint8Array, E, R>) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const unwritable = unwritableTo(file)
    // Any other flag writes at a position, which a pipe has not.
    const opened = yield* Effect.mapError(files.open(file, { flag: "a" }), unwritable)
    yield* Stream.runForEach(bytes, (chunk) => Effect.mapError(opened.writeAll(chunk), unwritable))
  }).pipe(Effect.scoped)

/**
 * Writes a stream to a temporary file in the same folder. Renames the file after the stream has ended without an error.
 */
const writeWhole = <E, R>(file: string, bytes: Stream.Stream<Uint8Array, E, R>) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const draft = `${file}.part`
    const unwritable = unwritableTo(file)
    yield* Effect.gen(function* () {
      // Removes what a killed export left. Opening exclusively never writes through a symbolic link.
      yield* Effect.mapError(files.remove(draft, { force: true }), unwritable)
      const opened = yield* Effect.mapError(files.open(draft, { flag: "wx", mode: ownerOnly }), unwritable)
      yield* Stream.runForEach(bytes, (chunk) => Effect.mapError(opened.writeAll(chunk), unwritable))
      yield* Effect.mapError(opened.sync, unwritable)
      yield* Effect.mapError(files.rename(draft, file), unwritable)
    }).pipe(
      Effect.scoped,
      Effect.onError(() => Effect.ignore(files.remove(draft))),
    )
  })

const exampleOf = (kind: ExportKind) => ({
  command: `inlet export ${kind} --output ${kind}.ndjson`,
  description: "Write a file, which appears when the export is complete",
})

const documents = (kind: ExportKind, description: string) =>
  Command.make(kind, { output }, ({ output }) =>
    runExport(kind, { output, since: Option.none(), until: Option.none() }),
  ).pipe(Command.withDescription(description), Command.withExamples([exampleOf(kind)]))

const entries = (kind: "events" | "activity", description: string) =>
  Command.make(kind, { output, ...period }, (options) => runExport(kind, options)).pipe(
    Command.withDescription(description),
    Command.withExamples([
      exampleOf(kind),
      {
        command: `inlet export ${kind} --since 2026-01-01 --until 2026-02-01`,
        description: "Print the entries that were received in January",
      },
    ]),
  )

export const exportCommand = Command.make("export").pipe(
  Command.withDescription("Export a workspace as NDJSON, as it is when the export begins"),
  Command.withSubcommands([
    documents("people", "Export people, each with attributes, devices, relationships and segments"),
    entries("events", "Export events"),
    documents("objects", "Export objects, each with all related people"),
    documents("segments", "Export segments, each with all of its people"),
    documents("deliveries", "Export deliveries and their metrics"),
    entries("activity", "Export all entries of the activity log"),
  ]),
)
