import { ImportCursor } from "@inlethq/contract/values/Cursor"
import type { ImportDocument } from "@inlethq/contract/transfer/ImportJobs"
import { ImportId } from "@inlethq/core/ports/ImportJobs"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { pageFlags } from "../../flags/flags.ts"
import { drawFields } from "../../output/fields.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { section } from "../../output/personPage.ts"
import { paint, type Screen } from "../../output/Screen.ts"
import { drawTable, timeColumn } from "../../output/table.ts"
import { count, counted, printable } from "../../output/text.ts"
import { fullTime } from "../../output/times.ts"
import { show } from "../../server/show.ts"
import { calling, command, listing, raw, showing, type Reach, type Resource } from "../shared/resource.ts"

/** The number of errors in the output of `inlet imports get`. */
const errorsShown = 20

const importArgument = Argument.String("import").pipe(
  Argument.withSchema(ImportId),
  Argument.withDescription(
    "The id of the import, such as imp_0mk3x4c5f1a2b3c4d5e6f, as inlet imports list shows it",
  ),
)

const imports: Resource<ImportDocument> = {
  group: "imports",
  about: "Follow and cancel imports that the server goes on with, such as those of the console",
  columns: [
    { heading: "IMPORT", text: ({ import_id }) => import_id },
    { heading: "FILE", text: ({ name }) => name ?? "", style: () => "bold", shrinks: true },
    { heading: "KIND", text: ({ kind }) => kind },
    { heading: "STATE", text: ({ state }) => state },
    { heading: "READ", text: (job) => percentOf(job) },
    { heading: "IMPORTED", text: ({ imported }) => count(imported) },
    { heading: "FAILED", text: ({ failed }) => count(failed) },
    timeColumn("CREATED", ({ created_at }) => created_at),
  ],
  empty: "No imports",
  examples: {
    list: { "inlet imports list": "With their progress" },
    get: { "inlet imports get imp_0mk3x4c5f1a2b3c4d5e6f": "One import" },
    cancel: { "inlet imports cancel imp_0mk3x4c5f1a2b3c4d5e6f": "Stop after the rows of this moment" },
  },
}

const percentOf = ({ bytes, bytes_read }: ImportDocument): string =>
  `${bytes === 0 ? 100 : Math.floor((bytes_read / bytes) * 100)} %`

const list = command(
  imports,
  "list",
  "List the imports that go on without their clients, newest first",
  pageFlags(ImportCursor),
  listing(imports, ({ client, w }, query) => client.importJobs.list({ params: { w }, query, ...raw })),
)

const drawImport = (
  screen: Screen,
  job: ImportDocument,
  errors: ReadonlyArray<{ readonly line: number; readonly message: string }>,
): ReadonlyArray<string> => [
  paint(screen, "bold", printable(job.name ?? job.import_id)),
  ...drawFields(screen, [
    ["id", job.import_id],
    ["kind", job.kind],
    ["state", job.state],
    ["why", job.reason],
    ["created", fullTime(screen.times, job.created_at)],
    ["by", job.created_by],
    ["ended", job.ended_at === null ? null : fullTime(screen.times, job.ended_at)],
    ["read", percentOf(job)],
    ["rows", count(job.rows)],
    ["imported", count(job.imported)],
    ["skipped", count(job.skipped)],
    ["failed", count(job.failed)],
  ]),
  ...section(screen, "ERRORS", [
    ...drawTable(
      screen,
      [
        { heading: "LINE", text: ({ line }) => String(line) },
        { heading: "REASON", text: ({ message }) => message, shrinks: true },
      ],
      errors,
    ),
    ...(job.errors > errors.length
      ? [`and ${counted(job.errors - errors.length, "error", "errors")} more`]
      : []),
  ]),
]

const get = command(
  imports,
  "get",
  "Show an import with its progress, its result and its first errors",
  { id: importArgument },
  calling(
    Effect.fnUntraced(function* ({ client, w }: Reach, { id }: { readonly id: ImportId }) {
      const { isWanted: json } = yield* JsonOutput
      const params = { w, import_id: id }
      const errors = json
        ? { items: [] }
        : yield* client.importJobs.errors({ params, query: { limit: errorsShown } })
      yield* show(client.importJobs.get({ params, ...raw }), (job, screen) =>
        drawImport(screen, job, errors.items),
      )
    }),
  ),
)

const cancel = command(
  imports,
  "cancel",
  "Cancel an import; rows that were imported stay",
  { id: importArgument },
  showing(
    ({ client, w }, { id }) => client.importJobs.cancel({ params: { w, import_id: id }, ...raw }),
    ({ import_id, state }) => [`${import_id} is ${state}`],
  ),
)

export const importsCommand = Command.make(imports.group).pipe(
  Command.withDescription(imports.about),
  Command.withSubcommands([list, get, cancel]),
)
