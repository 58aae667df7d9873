import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ErasureDocument } from "@inlethq/contract/transfer/Erasures"
import { ErasureCursor } from "@inlethq/contract/values/Cursor"
import { exportLedgerBytes } from "@inlethq/sdk/management/Exports"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag, pageFlags } from "../../flags/flags.ts"
import { drawFields } from "../../output/fields.ts"
import { section } from "../../output/personPage.ts"
import { paint, type Screen } from "../../output/Screen.ts"
import { timeColumn } from "../../output/table.ts"
import { count, printable, sizeText } from "../../output/text.ts"
import { fullTime } from "../../output/times.ts"
import { show } from "../../server/show.ts"
import { writeExport } from "../data/export.ts"
import { calling, command, listing, raw, type Reach, type Resource } from "../shared/resource.ts"
import { verifyCommand } from "./verifyErasure.ts"

const erasures: Resource<ErasureDocument> = {
  group: "erasure",
  about: "Erasures of people: receipts, what is left of somebody, and the ledger that outlives backups",
  columns: [
    { heading: "ERASURE", text: ({ erasure_id }) => erasure_id, style: () => "bold" },
    timeColumn("AT", ({ at }) => at),
    { heading: "ACTION", text: ({ action }) => action },
    { heading: "STATE", text: ({ state }) => state },
    { heading: "OPERATION", text: ({ operation_id }) => operation_id },
  ],
  empty: "No erasures",
  examples: {
    list: { "inlet erasure list": "The newest 50" },
    get: { "inlet erasure get er1700000000000-120 --out receipt": "The files of the receipt" },
    ledger: { "inlet erasure ledger erasures.ndjson": "Keep the ledger apart from the backups" },
  },
}

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

const list = command(
  erasures,
  "list",
  "List the erasures of people, newest first, and how far each has come",
  pageFlags(ErasureCursor),
  listing(erasures, ({ client, w }, query) => client.erasures.list({ params: { w }, query, ...raw })),
)

const get = command(
  erasures,
  "get",
  "Show an erasure, or write its signed receipt to files",
  {
    id: Argument.String("erasure_id").pipe(
      Argument.withDescription("The id, as `inlet erasure list` shows it"),
    ),
    out: optionalFlag(
      Flag.String("out").pipe(Flag.withMetavar("directory")),
      "Write receipt.json, receipt.sig and key.pem into this directory, to check the signature with any program",
    ),
  },
  calling((reach, { id, out }) =>
    Option.isSome(out)
      ? writeReceipt(reach, id, out.value)
      : show(reach.client.erasures.get({ params: { w: reach.w, erasure_id: id }, ...raw }), drawErasure),
  ),
)

const writeReceipt = Effect.fnUntraced(function* ({ client, w }: Reach, id: string, directory: string) {
  const { signed, state } = yield* client.erasures.get({ params: { w, erasure_id: id } })
  if (signed === null) return yield* new CommandFailed({ message: cliTexts.notSealed({ id, state }) })
  const { pem } = yield* client.erasures.key()
  yield* Effect.sync(() => {
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, "receipt.json"), signed.text)
    writeFileSync(join(directory, "receipt.sig"), Buffer.from(signed.signature, "base64"))
    writeFileSync(join(directory, "key.pem"), pem)
  })
  yield* Console.log(`Wrote receipt.json, receipt.sig and key.pem to ${directory}`)
})

const ledger = command(
  erasures,
  "ledger",
  "Write the erasure ledger to a file: who was deleted or suppressed, by digest only. `inlet restore --ledger` reads it",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("File to write; standard output without it"),
      Argument.optional,
    ),
  },
  ({ file }) => writeExport("records", exportLedgerBytes(), file),
)

export const erasureCommand = Command.make(erasures.group).pipe(
  Command.withDescription(erasures.about),
  Command.withSubcommands([list, get, verifyCommand, ledger]),
)
