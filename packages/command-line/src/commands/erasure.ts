import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ErasureDocument } from "@inlet/api/management/Erasures"
import { ErasureCursor } from "@inlet/api/management/Cursor"
import { exportLedgerBytes } from "@inlet/sdk/management/Exports"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../commandErrors.ts"
import { cliTexts } from "../cliTexts.ts"
import { optionalFlag, pageFlags } from "../flags.ts"
import { drawFields } from "../output/fields.ts"
import { section } from "../output/personPage.ts"
import { paint, type Screen } from "../output/Screen.ts"
import { timeColumn, type Column } from "../output/table.ts"
import { count, printable, sizeText } from "../output/text.ts"
import { fullTime } from "../output/times.ts"
import { Connection } from "../server/Connection.ts"
import { onServer } from "../server/onServer.ts"
import { show } from "../server/show.ts"
import { showList } from "../server/showList.ts"
import { writeExport } from "./export.ts"
import { verifyCommand } from "./verifyErasure.ts"

const columns: ReadonlyArray<Column<ErasureDocument>> = [
  { heading: "ERASURE", text: ({ erasure_id }) => erasure_id, style: () => "bold" },
  timeColumn("AT", ({ at }) => at),
  { heading: "ACTION", text: ({ action }) => action },
  { heading: "STATE", text: ({ state }) => state },
  { heading: "OPERATION", text: ({ operation_id }) => operation_id },
]

const countsText = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, number]) => `${name} ${count(number)}`)
    .join(", ")

const rowsText = ({ from, to, ...rows }: NonNullable<ErasureDocument["rows"]>): string =>
  countsText(rows) + (from === null ? "" : `, positions ${from} to ${to}`)

type Pages = NonNullable<NonNullable<ErasureDocument["receipt"]>["pages"]>

const pagesText = ({ overwritten, searched }: Pages): string =>
  `${count(searched)} searched, ${count(overwritten)} overwritten`

const drawErasure = (erasure: ErasureDocument, screen: Screen): ReadonlyArray<string> => [
  paint(screen, "bold", erasure.erasure_id),
  ...drawFields(screen, [
    ["action", erasure.action],
    ["at", fullTime(screen.times, erasure.at)],
    ["operation", erasure.operation_id],
    ["erased before position", String(erasure.position)],
    ["state", erasure.state],
    ["waits for", erasure.waits_for_lake ? "the files of the lake, without the person" : null],
    ["profile had", erasure.counts === null ? null : countsText(erasure.counts)],
    ["erased", erasure.rows === null ? null : rowsText(erasure.rows)],
    ["pages of the file", erasure.receipt?.pages == null ? null : pagesText(erasure.receipt.pages)],
    ["overwritten", erasure.receipt === null ? null : erasure.receipt.overwritten ? "yes" : "no"],
    ["sealed", erasure.receipt === null ? null : fullTime(screen.times, erasure.receipt.sealed_at)],
  ]),
  ...section(screen, "FILES OF THE LAKE", (erasure.receipt?.lake_files ?? []).flatMap(rewrittenFile)),
  ...section(screen, "BACKUPS FROM BEFORE", (erasure.receipt?.backups ?? []).map(backupLine)),
  ...section(screen, "NOT COVERED", erasure.not_covered),
]

const backupLine = ({ bytes, created_at, file }: KnownBackup): string =>
  `${created_at}  ${printable(file)}  ${sizeText(bytes)}`

type KnownBackup = NonNullable<NonNullable<ErasureDocument["receipt"]>["backups"]>[number]

type Rewritten = NonNullable<NonNullable<ErasureDocument["receipt"]>["lake_files"]>[number]

const rewrittenFile = ({ new_path, new_sha256, path, sha256 }: Rewritten): ReadonlyArray<string> => [
  `${path}  sha256 ${sha256}, replaced by`,
  `  ${new_path}  sha256 ${new_sha256}`,
]

const list = Command.make(
  "list",
  pageFlags(ErasureCursor),
  Effect.fnUntraced(function* (page) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    yield* showList(
      page,
      (query) =>
        client.erasures.list({ params: { w: workspace }, query, responseMode: "decoded-and-response" }),
      columns,
      "No erasures",
    )
  }, onServer),
).pipe(
  Command.withDescription("List the erasures of people, newest first, and how far each has come"),
  Command.withExamples([{ command: "inlet erasure list", description: "The newest 50" }]),
)

const get = Command.make(
  "get",
  {
    id: Argument.String("erasure_id").pipe(
      Argument.withDescription("The id, as `inlet erasure list` shows it"),
    ),
    out: optionalFlag(
      Flag.String("out").pipe(Flag.withMetavar("directory")),
      "Write receipt.json, receipt.sig and key.pem into this directory, to check the signature with any program",
    ),
  },
  Effect.fnUntraced(function* ({ id, out }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const params = { w: workspace, erasure_id: id }
    if (Option.isNone(out)) {
      yield* show(client.erasures.get({ params, responseMode: "decoded-and-response" }), drawErasure)
      return
    }
    const { signed, state } = yield* client.erasures.get({ params })
    if (signed === null) return yield* new CommandFailed({ message: cliTexts.notSealed({ id, state }) })
    const { pem } = yield* client.erasures.key()
    yield* Effect.sync(() => {
      mkdirSync(out.value, { recursive: true })
      writeFileSync(join(out.value, "receipt.json"), signed.text)
      writeFileSync(join(out.value, "receipt.sig"), Buffer.from(signed.signature, "base64"))
      writeFileSync(join(out.value, "key.pem"), pem)
    })
    yield* Console.log(`Wrote receipt.json, receipt.sig and key.pem to ${out.value}`)
  }, onServer),
).pipe(
  Command.withDescription("Show an erasure, or write its signed receipt to files"),
  Command.withExamples([
    {
      command: "inlet erasure get er1700000000000-120 --out receipt",
      description: "The files of the receipt",
    },
  ]),
)

const ledger = Command.make(
  "ledger",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("File to write; standard output without it"),
      Argument.optional,
    ),
  },
  Effect.fnUntraced(function* ({ file }) {
    yield* writeExport("records", exportLedgerBytes(), file)
  }, onServer),
).pipe(
  Command.withDescription(
    "Write the erasure ledger to a file: who was deleted or suppressed, by digest only. `inlet restore --ledger` reads it",
  ),
  Command.withExamples([
    {
      command: "inlet erasure ledger erasures.ndjson",
      description: "Keep the ledger apart from the backups",
    },
  ]),
)

export const erasureCommand = Command.make("erasure").pipe(
  Command.withDescription(
    "Erasures of people: receipts, what is left of somebody, and the ledger that outlives backups",
  ),
  Command.withSubcommands([list, get, verifyCommand, ledger]),
)
