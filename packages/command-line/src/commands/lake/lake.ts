import type { LakeDocument, LakeVerification } from "@inlethq/contract/transfer/Lake"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { drawLake } from "../../output/lakePage.ts"
import { printNote } from "../../output/note.ts"
import { counted, printable, sizeText } from "../../output/text.ts"
import { Connection } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { printLines, show } from "../../server/show.ts"
import { confirmFlag, orNotConfirmed } from "../shared/confirm.ts"
import { startLake } from "./startLake.ts"
import { untilLake } from "./untilLake.ts"

const status = Command.make(
  "status",
  {},
  Effect.fnUntraced(function* () {
    const { workspace: w } = yield* Connection
    const client = yield* ManagementClient
    yield* show(client.lake.get({ params: { w }, responseMode: "decoded-and-response" }), drawLake)
  }, onServer),
).pipe(
  Command.withDescription("Show where the lake is, how far it has come and which erasures are due"),
  Command.withExamples([{ command: "inlet lake status --json", description: "As one JSON document" }]),
)

const verify = Command.make(
  "verify",
  {},
  Effect.fnUntraced(function* () {
    const { isWanted, print } = yield* JsonOutput
    const found = yield* verifyAll
    yield* isWanted ? print(JSON.stringify(found)) : printLines(drawVerification(found))
    const { length: count } = found.faults
    if (count > 0) return yield* new CommandFailed({ message: cliTexts.lakeDamaged({ count }) })
  }, onServer),
).pipe(
  Command.withDescription(
    "Read every file again where it is, count its rows, compare its hash, and check that the files cover each position once and say to whom everybody belongs",
  ),
  Command.withExamples([
    { command: "inlet lake verify", description: "Ends with code 1 if anything is wrong" },
  ]),
)

/** Each answer covers some files, and says after which one the next begins. */
const verifyAll = Effect.gen(function* () {
  const { workspace: w } = yield* Connection
  const client = yield* ManagementClient
  let all: LakeVerification = yield* client.lake.verify({ params: { w }, query: {} })
  while (all.next !== null) {
    const page = yield* client.lake.verify({ params: { w }, query: { after: all.next } })
    all = {
      files: all.files + page.files,
      rows: all.rows + page.rows,
      bytes: all.bytes + page.bytes,
      faults: [...all.faults, ...page.faults],
      next: page.next,
    }
  }
  return all
})

const drawVerification = ({ bytes, faults, files, rows }: LakeVerification): ReadonlyArray<string> => [
  ...faults.map(({ path, problem }) => printable(`${path}: ${problem}`)),
  `Read ${counted(files, "file", "files")} with ${counted(rows, "operation", "operations")}, ${sizeText(bytes)}: ${
    faults.length === 0 ? "nothing is wrong" : counted(faults.length, "fault", "faults")
  }`,
]

const sql = Command.make(
  "sql",
  {
    engine: Flag.Literals("engine", ["duckdb", "duckdb-iceberg", "clickhouse"]).pipe(
      Flag.withDescription("The engine that runs the statements"),
      Flag.withDefault("duckdb"),
    ),
  },
  Effect.fnUntraced(function* ({ engine }) {
    const { workspace: w } = yield* Connection
    const client = yield* ManagementClient
    yield* show(
      client.lake.sql({ params: { w }, query: { engine }, responseMode: "decoded-and-response" }),
      ({ statements }) => [statements.trimEnd()],
    )
  }, onServer),
).pipe(
  Command.withDescription(
    "Print SQL that defines views of the lake, with one for each event name. They find later files by themselves: with `duckdb` once its first statement runs again, with `duckdb-iceberg` (DuckDB's extension for Iceberg) and `clickhouse` in each query",
  ),
  Command.withExamples([
    { command: "inlet lake sql > lake.sql", description: "For DuckDB: duckdb -init lake.sql" },
    {
      command: "inlet lake sql --engine duckdb-iceberg > lake.sql",
      description: "For DuckDB with its extension for Iceberg, as views that follow",
    },
    { command: "inlet lake sql --engine clickhouse", description: "For ClickHouse" },
  ]),
)

const rewrite = Command.make(
  "rewrite",
  {},
  Effect.fnUntraced(function* () {
    const { workspace: w } = yield* Connection
    const client = yield* ManagementClient
    const { lag, to: before } = yield* client.lake.rewrite({ params: { w } })
    const end = (before ?? 0) + lag
    const { erasures_due: count, to } = yield* untilLake(
      (lake) => (lake.to ?? 0) >= end && lake.erasures_due === 0,
    )
    if (count > 0) return yield* new CommandFailed({ message: cliTexts.lakeErasuresDue({ count }) })
    if ((to ?? 0) < end) return yield* new CommandFailed({ message: cliTexts.lakeUnwritten({ end }) })
  }, onServer),
).pipe(
  Command.withDescription(
    "Take the rows of deleted people out of the files now, and not within the days of the settings",
  ),
  Command.withExamples([
    {
      command: "inlet lake rewrite",
      description: "Ends with code 1 while the files have not followed every deletion",
    },
  ]),
)

const flush = Command.make(
  "flush",
  {},
  Effect.fnUntraced(function* () {
    const { workspace: w } = yield* Connection
    const client = yield* ManagementClient
    const { lag, to } = yield* client.lake.flush({ params: { w } })
    const end = (to ?? 0) + lag
    const isWritten = (lake: LakeDocument) => (lake.to ?? 0) >= end && (lake.snapshot_to ?? 0) >= end
    const lake = yield* untilLake(isWritten)
    if (!isWritten(lake)) return yield* new CommandFailed({ message: cliTexts.lakeUnwritten({ end }) })
  }, onServer),
).pipe(
  Command.withDescription(
    "Complete the files with everything that happened so far, and not within five minutes, and wait for them",
  ),
  Command.withExamples([
    {
      command: "inlet lake flush",
      description: "Ends with code 1 if they are not complete in half a minute",
    },
  ]),
)

const stop = Command.make(
  "stop",
  confirmFlag,
  Effect.fnUntraced(function* ({ yes }) {
    const { workspace: w } = yield* Connection
    const client = yield* ManagementClient
    yield* orNotConfirmed(yes, "Write no more files, and forget those that were written?")
    yield* client.workspaces.update({ params: { w }, payload: { lake: null } })
    yield* printNote("The files stay where they are, and people who are deleted from now on stay in them.")
  }, onServer),
).pipe(
  Command.withDescription(
    "Write no more files and forget those that were written, which stay where they are",
  ),
  Command.withExamples([{ command: "inlet lake stop --yes", description: "Stop without a question" }]),
)

export const lakeCommand = Command.make("lake").pipe(
  Command.withDescription(
    "The lake: the log, people and objects as Parquet files, for DuckDB, ClickHouse, Spark or pandas",
  ),
  Command.withSubcommands([startLake, status, flush, verify, sql, rewrite, stop]),
)
