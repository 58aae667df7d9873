import { exportLedgerBytes } from "@inlet/sdk/management/Exports"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { onServer } from "../server/onServer.ts"
import { writeExport } from "./export.ts"

const ledgerCommand = Command.make(
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
  Command.withDescription("Erasures of people: the ledger that outlives backups"),
  Command.withSubcommands([ledgerCommand]),
)
