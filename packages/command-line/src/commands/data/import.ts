import { managementTexts } from "@inlethq/contract/values/managementTexts"
import { importFile } from "@inlethq/sdk/management/Imports"
import { Clock, Console, Data, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag } from "../../flags/flags.ts"
import { importEntities, type EntityKind } from "../../exported/importEntities.ts"
import { importSegments } from "../../exported/importSegments.ts"
import { showImportProgress } from "../../exported/importProgress.ts"
import { openSource, type ImportSource } from "../../exported/ImportSource.ts"
import { orInterrupted } from "../../server/interruption.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { drawLineErrors } from "../../output/lineErrors.ts"
import { count, counted } from "../../output/text.ts"
import { clearProgress } from "../../output/progressBar.ts"
import { Connection } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"

/** The import ended, but some rows were not imported. The command has already printed their errors. */
class RowsFailed extends Data.TaggedError("RowsFailed")<{ readonly message: string }> {}

const config = {
  file: Argument.String("file").pipe(
    Argument.withDescription(
      "A CSV file in UTF-8, or a file that `inlet export` wrote; `-` reads standard input",
    ),
  ),
  idempotencyKey: optionalFlag(
    Flag.String("idempotency-key"),
    "Key for this upload: the same file with the same key adds nothing, and another file with the same key is rejected",
  ),
}

const includeErased = Flag.Boolean("include-erased").pipe(
  Flag.withDescription(
    "Also import who was deleted or suppressed since the export, with what belongs to them",
  ),
  Flag.withDefault(false),
)

type Kind = "people" | "events"

const importCommandOf = (kind: Kind) =>
  Command.make(
    kind,
    { ...config, includeErased },
    Effect.fnUntraced(function* ({ file, idempotencyKey, includeErased }) {
      const source = yield* openSource(file)
      if (source.isNdjson) return yield* importExported(kind, source, includeErased)
      const { workspace } = yield* Connection
      const started = yield* Clock.currentTimeMillis
      const summary = yield* importFile({
        kind,
        workspace,
        file: source.bytes,
        ...Option.match(idempotencyKey, { onNone: () => ({}), onSome: (key) => ({ idempotencyKey: key }) }),
        onProgress: ({ bytes, rows }) =>
          showImportProgress({ items: rows, noun: "rows", done: bytes, total: source.size, started }),
      }).pipe(Effect.ensuring(clearProgress), orInterrupted(managementTexts.importInterrupted()))
      yield* report(kind, summary, started)
    }, onSource),
  )

/** Runs an import against the selected server, and closes what it reads. */
const onSource = <A, E, R>(effect: Effect.Effect<A, E, R>) => onServer(Effect.scoped(effect))

/** Prints the summary of an import. Fails if a row was not imported. */
const report = Effect.fnUntraced(function* (kind: string, summary: Summary, started: number) {
  const seconds = ((yield* Clock.currentTimeMillis) - started) / 1000
  const { isWanted, print } = yield* JsonOutput
  yield* isWanted ? print(JSON.stringify(summary)) : printSummary(kind, summary, seconds)
  const isRefused = summary.rows === 0 && summary.errors.length > 0
  if (isRefused) return yield* new RowsFailed({ message: cliTexts.nothingImported() })
  if (summary.failed === 0) return
  return yield* new RowsFailed({ message: cliTexts.rowsNotImported({ count: count(summary.failed) }) })
})

/** Imports what `inlet export` wrote. */
const importExported = Effect.fnUntraced(function* (
  kind: EntityKind | "segments",
  source: ImportSource,
  includesErased: boolean,
) {
  const started = yield* Clock.currentTimeMillis
  const summary =
    kind === "segments" ? yield* importSegments(source) : yield* importEntities(kind, source, includesErased)
  yield* report(kind, summary, started)
})

const exportedFile = Argument.String("file").pipe(
  Argument.withDescription("A file that `inlet export` wrote; `-` reads standard input"),
)

/** Makes the command that imports exported objects or segments, which have no CSV format. */
const exportedCommandOf = (kind: "objects" | "segments", description: string) =>
  Command.make(kind, { file: exportedFile, includeErased }, ({ file, includeErased }) =>
    onSource(Effect.flatMap(openSource(file), (source) => importExported(kind, source, includeErased))),
  ).pipe(
    Command.withDescription(description),
    Command.withExamples([
      {
        command: `inlet import ${kind} ${kind}.ndjson`,
        description: `Import what \`inlet export ${kind}\` wrote`,
      },
    ]),
  )

/** Only the summary of an export says how many of its lines are about people who were erased since. */
type Summary = Effect.Success<ReturnType<typeof importFile>> & { readonly erased?: number }

const printSummary = Effect.fnUntraced(function* (kind: string, summary: Summary, seconds: number) {
  const { erased = 0, errors, failed, imported, rows, skipped } = summary
  for (const line of drawLineErrors(errors)) yield* Console.error(line)
  const unlisted = failed - errors.length
  if (unlisted > 0) yield* Console.error(cliTexts.moreErrors({ count: count(unlisted) }))
  const outcome = `${count(imported)} imported, ${count(skipped)} skipped, ${count(failed)} failed`
  yield* Console.log(`${outcome}: ${counted(rows, "row", "rows")} of ${kind} in ${seconds.toFixed(1)} s`)
  if (erased > 0) yield* Console.log(`${count(erased)} left out: about people who were deleted or suppressed`)
})

const examplesOf = (kind: Kind) => [
  {
    command: `inlet import ${kind} ${kind}.ndjson`,
    description: `Import what \`inlet export ${kind}\` wrote`,
  },
  {
    command: `inlet export ${kind} | inlet import ${kind} - --url http://127.0.0.1:8081 --token … --workspace 2`,
    description: "Copy from one server to another, without a file in between",
  },
  { command: `inlet import ${kind} ${kind}.csv`, description: "Import into the server on this machine" },
  {
    command: `inlet import ${kind} ${kind}.csv --url https://inlet.example.com --token … --workspace 2 --json`,
    description: "Import into another server and print JSON",
  },
]

export const importCommand = Command.make("import").pipe(
  Command.withDescription(
    "Import a CSV file of people or events, or what `inlet export` wrote; importing the same file again adds nothing",
  ),
  Command.withSubcommands([
    importCommandOf("people").pipe(
      Command.withDescription(
        "Import one person per row: columns id and/or email; all other columns are attributes",
      ),
      Command.withExamples(examplesOf("people")),
    ),
    importCommandOf("events").pipe(
      Command.withDescription(
        "Import one event per row: columns _svc_name, _svc_customer_id and optionally _svc_timestamp; all other columns are the event's data",
      ),
      Command.withExamples(examplesOf("events")),
    ),
    exportedCommandOf(
      "objects",
      "Import objects and their relationships from an export; import the people first with `inlet import people`",
    ),
    exportedCommandOf(
      "segments",
      "Import segments from an export and add the listed people; import the people first with `inlet import people`",
    ),
  ]),
)
